// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Memory that the host can only copy to and from, like that of a GPU, to test that the contract needs nothing else. */
public final class FarArray implements Buffer, AutoCloseable {
    final HostArray memory;
    private final AtomicBoolean open;

    /** A view of {@code memory}, which ends with it or when it is closed. */
    public FarArray(HostArray memory) {
        this(memory, new AtomicBoolean(true));
    }

    private FarArray(HostArray memory, AtomicBoolean open) {
        this.memory = memory;
        this.open = open;
    }

    @Override
    public DataType type() {
        return memory.type();
    }

    @Override
    public long count() {
        return memory.count();
    }

    @Override
    public long address() {
        return memory.address();
    }

    @Override
    public FarArray slice(long offset, long count) {
        return new FarArray(memory.slice(offset, count), open);
    }

    @Override
    public FarArray view(DataType other) {
        return new FarArray(memory.view(other), open);
    }

    @Override
    public boolean isAlive() {
        return open.get() && memory.isAlive();
    }

    @Override
    public void copyFrom(HostArray source) {
        memory.copyFrom(source);
    }

    @Override
    public void copyTo(HostArray target) {
        memory.copyTo(target);
    }

    @Override
    public void fill(double value) {
        memory.fill(value);
    }

    @Override
    public void close() {
        open.set(false);
    }

    @Override
    public String toString() {
        return "FarArray[" + count() + " x " + type() + (isAlive() ? "]" : ", freed]");
    }
}
