// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Memory of one rank that the others can reach; lives as long as the communicator that allocated it. */
final class LocalArray extends HostArray {
    private final BooleanSupplier ownerIsOpen;

    LocalArray(DataType type, MemorySegment segment, BooleanSupplier ownerIsOpen) {
        super(type, segment);
        this.ownerIsOpen = ownerIsOpen;
    }

    @Override
    public LocalArray slice(long offset, long count) {
        return new LocalArray(type(), sliceSegment(offset, count), ownerIsOpen);
    }

    @Override
    public LocalArray view(DataType other) {
        return new LocalArray(other, viewSegment(other), ownerIsOpen);
    }

    @Override
    public boolean isAlive() {
        return ownerIsOpen.getAsBoolean() && super.isAlive();
    }

    @Override
    public String toString() {
        return super.toString().replace("LocalArray", "HostArray");
    }
}
