// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.comm4j.core.spi.RemoteMemory;
import org.jspecify.annotations.Nullable;

/**
 * All operations of a PE of a {@link RemoteEngine}. Those on PEs of other machines are done there in the order of this
 * PE's calls, so only stores to the own machine's memory need a fence. Atomics on each PE's memory are all made by
 * processors of its machine, so they are atomic with each other wherever they come from.
 */
final class RemoteStream implements Engine.Stream {
    private final RemoteEngine engine;
    /** Null where all PEs are within reach. */
    private final RemoteMemory.@Nullable Access access;

    RemoteStream(RemoteEngine engine, RemoteMemory.@Nullable Access access) {
        this.engine = engine;
        this.access = access;
    }

    private RemoteMemory.Access access(String operation) {
        engine.check(operation);
        RemoteMemory.Access there = access;
        if (there == null) {
            throw new AssertionError("all PEs are within reach");
        }
        return there;
    }

    @Override
    public void put(long to, MemorySegment source, long sourceAt, long bytes, int pe) {
        access("put").put(pe, to, source.asSlice(sourceAt, bytes));
    }

    @Override
    public void get(MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
        access("get").get(pe, from, destination.asSlice(destinationAt, bytes));
    }

    @Override
    public void putNbi(long to, MemorySegment source, long sourceAt, long bytes, int pe) {
        access("putNbi").putLater(pe, to, source.asSlice(sourceAt, bytes));
    }

    @Override
    public void getNbi(MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
        access("getNbi").getLater(pe, from, destination.asSlice(destinationAt, bytes));
    }

    @Override
    public long atomic(Atomic.Operation operation, boolean wide, long at, long value, long condition, int pe) {
        if (engine.heaps[pe] >= 0) {
            return engine.atomic(operation, wide, at, value, condition, pe);
        }
        boolean fetch = operation != Atomic.Operation.SET;
        long old = access("atomic").atomic(pe, operation.ordinal(), wide, at, value, condition, fetch);
        return wide ? old : (int) old;
    }

    @Override
    public void fence() {
        VarHandle.releaseFence();
    }

    @Override
    public void quiet() {
        VarHandle.fullFence();
        if (access != null) {
            access("quiet").quiet();
        }
    }

    @Override
    public void close() {
        quiet();
    }
}
