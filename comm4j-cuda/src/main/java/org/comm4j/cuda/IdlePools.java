// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUmemoryPool;
import org.jspecify.annotations.Nullable;

/**
 * The memory pools of one GPU that were closed, empty, for those who need one next. {@code cuMemPoolDestroy} is called
 * only when no {@link Device} is open any more: drivers up to 580 crash or hang in waits of other threads for work that
 * used a destroyed pool, also when all that work is done.
 */
final class IdlePools {
    private static final Map<Integer, IdlePools> BY_ORDINAL = new ConcurrentHashMap<>();

    /** Guarded by this object, as the next. */
    private final Deque<CUmemoryPool> pools = new ArrayDeque<>();

    private int contexts;

    static IdlePools of(int ordinal) {
        return BY_ORDINAL.computeIfAbsent(ordinal, _ -> new IdlePools());
    }

    /** A context of the GPU was retained. */
    synchronized void open() {
        contexts++;
    }

    /** A context is about to be released, and is current. */
    synchronized void close() {
        contexts--;
        while (contexts == 0 && !pools.isEmpty()) {
            CUmemoryPool pool = pools.pop();
            Cuda.run("close a memory pool", () -> LibCuda.cuMemPoolDestroy(pool));
        }
    }

    /** Returns the number of pools of all GPUs that wait here. */
    static int count() {
        int count = 0;
        for (IdlePools each : BY_ORDINAL.values()) {
            synchronized (each) {
                count += each.pools.size();
            }
        }
        return count;
    }

    /** Returns a pool with the properties of a new one, or null. */
    synchronized @Nullable CUmemoryPool take() {
        return pools.poll();
    }

    /** Keeps a pool whose arrays are all freed; its memory goes back to the GPU. */
    synchronized void add(CUmemoryPool pool) {
        pools.push(pool);
    }
}
