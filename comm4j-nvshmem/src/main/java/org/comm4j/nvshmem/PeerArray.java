// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.DataType;
import org.comm4j.cuda.DeviceArray;

/**
 * Other copies of a symmetric array, as this PE's GPU sees them: another PE's, or all of a team at once. They live as
 * long as the array.
 */
final class PeerArray extends DeviceArray {
    private final String whose;

    PeerArray(SymmetricArray array, long address, String whose) {
        super(array, array.type(), address, array.count());
        this.whose = whose;
    }

    private PeerArray(PeerArray whole, DataType type, long address, long count) {
        super(whole, type, address, count);
        this.whose = whole.whose;
    }

    @Override
    protected DeviceArray part(DataType type, long address, long count) {
        return new PeerArray(this, type, address, count);
    }

    /** Does nothing: the memory goes with the array. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "DeviceArray[" + count() + " x " + type() + " of " + whose + " seen from " + device()
                + (isAlive() ? "]" : ", freed]");
    }
}
