// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.handle;

/**
 * {@code CUgraphDeviceNode}: a pointer that only the CUDA library looks behind.
 *
 * @param address what C has in the pointer
 */
public record CUgraphDeviceNode(long address) {
    /** C's {@code NULL}. */
    public static final CUgraphDeviceNode NULL = new CUgraphDeviceNode(0);

    public boolean isNull() {
        return address == 0;
    }
}
