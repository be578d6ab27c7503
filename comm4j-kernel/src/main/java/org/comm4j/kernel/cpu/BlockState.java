// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.ir.SharedArrays;
import org.comm4j.kernel.loops.LoopBlock;
import org.jspecify.annotations.Nullable;

/** A block while it runs. */
final class BlockState {
    /** The threads at a barrier. */
    static final class Barrier {
        final List<KernelThread> waiting = new ArrayList<>();
        /** Of a named one, how many have come, and how many are to come. */
        int arrived;

        int expected;
    }

    /** What matrices of tensor cores need; in the blocks of a cluster the same places are then aligned the same. */
    private static final int ALIGNMENT = 1024;

    final Launch launch;
    final long number;
    final int x;
    final int y;
    final int z;
    final MemorySegment dynamic;
    private final Map<Object, Object> shared = new HashMap<>();
    /** Of {@code shared}. */
    private long sharedBytes;

    /** Only where threads are not a loop. */
    KernelThread[] threads = {};
    /** Only where threads are loops. */
    @Nullable
    LoopBlock loop;

    WarpState[] warps = {};
    final Barrier barrier = new Barrier();
    final Map<Integer, Barrier> named = new HashMap<>();

    BlockState(Launch launch, long number) {
        this.launch = launch;
        this.number = number;
        var config = launch.config;
        x = (int) (number % config.gridX());
        y = (int) (number / config.gridX() % config.gridY());
        z = (int) (number / config.gridX() / config.gridY());
        dynamic = config.sharedBytes() == 0
                ? MemorySegment.NULL
                : Arena.ofAuto().allocate(config.sharedBytes(), ALIGNMENT);
    }

    void populate(@Nullable Gang gang) {
        threads = new KernelThread[launch.config.threadsPerBlock()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new KernelThread(this, i, gang);
        }
        warps = new WarpState[(threads.length + 31) / 32];
        for (int i = 0; i < warps.length; i++) {
            warps[i] =
                    new WarpState(java.util.Arrays.copyOfRange(threads, i * 32, Math.min(threads.length, i * 32 + 32)));
        }
    }

    /** The place that asks for an array; a method that is given the class of its elements has one for each. */
    private record Asked(Object place, Class<?> type) {}

    <A> A shared(Class<A> type, int length, Object place) {
        Object array = shared.computeIfAbsent(new Asked(place, type), _ -> newShared(type, length, place));
        if (Array.getLength(array) != length) {
            throw new IllegalStateException("the shared array at " + place + " has " + Array.getLength(array)
                    + " elements, not " + length + ": its length must be a constant");
        }
        return type.cast(array);
    }

    private Object newShared(Class<?> type, int length, Object place) {
        sharedBytes += (long) length * Memory.bytes(type.getComponentType());
        if (sharedBytes + dynamic.byteSize() > SharedArrays.MOST) {
            throw new IllegalStateException("with the shared array of " + length + " elements at " + place
                    + " a block has " + sharedBytes + " bytes of shared arrays and " + dynamic.byteSize()
                    + " of dynamic shared memory; a GPU has " + SharedArrays.MOST + " for a block at most");
        }
        return Array.newInstance(type.getComponentType(), length);
    }

    /** What is here in the place that {@code memory} has among the shared memory of {@code other}. */
    @SuppressWarnings("ReferenceEquality") // arrays are themselves
    MemorySegment counterpart(BlockState other, MemorySegment memory) {
        if (memory.equals(other.dynamic)) {
            return dynamic;
        }
        Object array = memory.heapBase().orElse(null);
        for (var entry : other.shared.entrySet()) {
            if (entry.getValue() == array) {
                Object mine = shared.computeIfAbsent(
                        entry.getKey(),
                        p -> Array.newInstance(
                                entry.getValue().getClass().getComponentType(), Array.getLength(entry.getValue())));
                return Memory.ofArray(mine);
            }
        }
        throw new IllegalArgumentException("this is not shared memory of the calling thread's block");
    }

    int rankInCluster() {
        var c = launch.config;
        return (z % c.clusterZ() * c.clusterY() + y % c.clusterY()) * c.clusterX() + x % c.clusterX();
    }

    /** Number of the cluster in the grid. */
    long cluster() {
        return cluster(launch.config, number);
    }

    static long cluster(LaunchConfig c, long block) {
        long x = block % c.gridX() / c.clusterX();
        long y = block / c.gridX() % c.gridY() / c.clusterY();
        long z = block / c.gridX() / c.gridY() / c.clusterZ();
        return (z * (c.gridY() / c.clusterY()) + y) * (c.gridX() / c.clusterX()) + x;
    }

    @Override
    public String toString() {
        return "(" + x + ", " + y + ", " + z + ")";
    }
}
