// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.ReduceOp;
import org.comm4j.device.Shmem;
import org.comm4j.device.ShmemBlock;
import org.comm4j.device.ShmemTeam;
import org.comm4j.device.ShmemWarp;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * The kernels of {@link DevicePerftests}. The last parameter is how often they do what they do. What moves is at the
 * same place on both PEs, whose numbers are 0 and 1. {@link PingPongKernels} has those of round trips.
 */
final class DeviceKernels {
    private DeviceKernels() {}

    /** Returns the other PE. */
    static int peer() {
        return 1 - Shmem.myPe();
    }

    // ---- bandwidth ----

    /** Each group moves its part of an array. */
    @Kernel
    static void move(@Constant Group group, @Constant boolean reads, F64Ptr data, long count, int iterations) {
        long share = count / GridDim.x();
        long part = share / groups(group);
        F64Ptr mine = data.plus(BlockIdx.x() * share + groupIndex(group) * part);
        for (int i = 0; i < iterations; i++) {
            if (reads) {
                getNbi(group, mine, mine, part, peer());
            } else {
                putNbi(group, mine, mine, part, peer());
            }
            Grid.sync();
        }
        if (ThreadIdx.x() == 0) {
            Shmem.quiet();
        }
    }

    /** In a block. */
    private static int groups(Group group) {
        return group == Group.BLOCK ? 1 : group == Group.WARP ? BlockDim.x() / Warp.SIZE : BlockDim.x();
    }

    private static int groupIndex(Group group) {
        return group == Group.BLOCK ? 0 : group == Group.WARP ? ThreadIdx.x() / Warp.SIZE : ThreadIdx.x();
    }

    /**
     * Threads side by side move elements of so many bytes. A thread has four on their way: it loads them all before it
     * stores the first, because a compiler cannot know that what is stored is not what is loaded next.
     */
    @Kernel
    static void moveElements(
            @Constant DevicePerftest test, @Constant int bytes, I8Ptr data, long count, int iterations) {
        long threads = (long) GridDim.x() * BlockDim.x();
        I8Ptr there = Shmem.ptr(data, peer());
        for (int i = 0; i < iterations; i++) {
            long at = GlobalIdx.xLong();
            for (; at + 3 * threads < count; at += 4 * threads) {
                long first = load(test, bytes, data, at);
                long second = load(test, bytes, data, at + threads);
                long third = load(test, bytes, data, at + 2 * threads);
                long fourth = load(test, bytes, data, at + 3 * threads);
                store(test, bytes, data, there, at, first);
                store(test, bytes, data, there, at + threads, second);
                store(test, bytes, data, there, at + 2 * threads, third);
                store(test, bytes, data, there, at + 3 * threads, fourth);
            }
            for (; at < count; at += threads) {
                store(test, bytes, data, there, at, load(test, bytes, data, at));
            }
            Grid.sync();
        }
        if (ThreadIdx.x() == 0) {
            Shmem.quiet();
        }
    }

    /** An element, as the lower bytes: the other PE's of what gets, this one's of what puts. */
    private static long load(DevicePerftest test, int bytes, I8Ptr data, long at) {
        boolean gets = test == DevicePerftest.G_BW;
        return switch (bytes) {
            case 1 -> {
                I8Ptr element = data.plus(at);
                yield gets ? Shmem.g(element, peer()) : element.get(0);
            }
            case 2 -> {
                I16Ptr element = data.asI16().plus(at);
                yield gets ? Shmem.g(element, peer()) : element.get(0);
            }
            case 4 -> {
                I32Ptr element = data.asI32().plus(at);
                yield gets ? Shmem.g(element, peer()) : element.get(0);
            }
            default -> {
                I64Ptr element = data.asI64().plus(at);
                yield gets ? Shmem.g(element, peer()) : element.get(0);
            }
        };
    }

    private static void store(DevicePerftest test, int bytes, I8Ptr data, I8Ptr there, long at, long value) {
        I8Ptr target = test == DevicePerftest.ST_BW ? there : data;
        boolean puts = test == DevicePerftest.P_BW;
        switch (bytes) {
            case 1 -> {
                I8Ptr element = target.plus(at);
                if (puts) {
                    Shmem.p(element, (byte) value, peer());
                } else {
                    element.set(0, (byte) value);
                }
            }
            case 2 -> {
                I16Ptr element = target.asI16().plus(at);
                if (puts) {
                    Shmem.p(element, (short) value, peer());
                } else {
                    element.set(0, (short) value);
                }
            }
            case 4 -> {
                I32Ptr element = target.asI32().plus(at);
                if (puts) {
                    Shmem.p(element, (int) value, peer());
                } else {
                    element.set(0, (int) value);
                }
            }
            default -> {
                I64Ptr element = target.asI64().plus(at);
                if (puts) {
                    Shmem.p(element, value, peer());
                } else {
                    element.set(0, value);
                }
            }
        }
    }

    /** Threads side by side do atomic operations on the other PE's words, each on its own. */
    @Kernel
    static void atomics(@Constant Atomic op, I64Ptr data, long count, int iterations) {
        long threads = (long) GridDim.x() * BlockDim.x();
        for (int i = 0; i < iterations; i++) {
            for (long at = GlobalIdx.xLong(); at < count; at += threads) {
                atomic(op, data.plus(at), i, peer());
            }
            Grid.sync();
        }
        if (ThreadIdx.x() == 0) {
            Shmem.quiet();
        }
    }

    // ---- latency ----

    /** A group moves all; then it is complete. */
    @Kernel
    static void moveInOrder(@Constant Group group, @Constant boolean reads, I32Ptr data, long count, int iterations) {
        for (int i = 0; i < iterations; i++) {
            if (reads) {
                getNbi(group, data, data, count, peer());
            } else {
                put(group, data, data, count, peer());
            }
            if (group == Group.THREAD) {
                Shmem.quiet();
            } else {
                complete();
            }
        }
    }

    /** What the threads of the block have begun. */
    private static void complete() {
        Block.sync();
        if (ThreadIdx.x() == 0) {
            Shmem.quiet();
        }
        Block.sync();
    }

    /** The threads of a block move elements. */
    @Kernel
    static void moveElementsInOrder(@Constant boolean reads, I32Ptr data, long count, int iterations) {
        for (int i = 0; i < iterations; i++) {
            for (long at = ThreadIdx.x(); at < count; at += BlockDim.x()) {
                I32Ptr element = data.plus(at);
                if (reads) {
                    element.set(0, Shmem.g(element, peer()));
                } else {
                    Shmem.p(element, element.get(0), peer());
                }
            }
            if (reads) {
                Block.sync();
            } else {
                complete();
            }
        }
    }

    /** A thread does atomic operations on a word of the other PE. Those that return something are complete then. */
    @Kernel
    static void atomicsInOrder(@Constant Atomic op, @Constant int bytes, I8Ptr word, int iterations) {
        for (int i = 0; i < iterations; i++) {
            atomic(op, bytes, word, i, peer());
            if (!returns(op)) {
                Shmem.quiet();
            }
        }
        Shmem.quiet();
    }

    /** What a word has after the operation of this number. */
    static long after(Atomic op, int i) {
        return switch (op) {
            case AND, FETCH_AND -> -2L << i;
            case OR, FETCH_OR -> (2L << i) - 1;
            case XOR, FETCH_XOR -> (i + 1) & 1;
            default -> i + 1L;
        };
    }

    // ---- atomic operations ----

    private static boolean returns(Atomic op) {
        return switch (op) {
            case INC, ADD, AND, OR, XOR, SET -> false;
            default -> true;
        };
    }

    /** Does the operation of number {@code i} on a word of 4 or 8 bytes of a PE. */
    static void atomic(Atomic op, int bytes, I8Ptr word, int i, int pe) {
        if (bytes == 4) {
            atomic(op, word.asI32(), i, pe);
        } else {
            atomic(op, word.asI64(), i, pe);
        }
    }

    /** The operation of this number, from 0 on. The first one is of {@link Atomic#begin}. */
    private static void atomic(Atomic op, I64Ptr target, int i, int pe) {
        long ignored = 0;
        switch (op) {
            case INC -> Shmem.atomicInc(target, pe);
            case ADD -> Shmem.atomicAdd(target, 1, pe);
            case AND -> Shmem.atomicAnd(target, -2L << i, pe);
            case OR -> Shmem.atomicOr(target, 1L << i, pe);
            case XOR -> Shmem.atomicXor(target, 1, pe);
            case SET -> Shmem.atomicSet(target, i + 1, pe);
            case SWAP -> ignored = Shmem.atomicSwap(target, i + 1, pe);
            case FETCH_INC -> ignored = Shmem.atomicFetchInc(target, pe);
            case FETCH_ADD -> ignored = Shmem.atomicFetchAdd(target, 1, pe);
            case FETCH_AND -> ignored = Shmem.atomicFetchAnd(target, -2L << i, pe);
            case FETCH_OR -> ignored = Shmem.atomicFetchOr(target, 1L << i, pe);
            case FETCH_XOR -> ignored = Shmem.atomicFetchXor(target, 1, pe);
            case COMPARE_SWAP -> ignored = Shmem.atomicCompareSwap(target, i, i + 1, pe);
        }
    }

    private static void atomic(Atomic op, I32Ptr target, int i, int pe) {
        int ignored = 0;
        switch (op) {
            case INC -> Shmem.atomicInc(target, pe);
            case ADD -> Shmem.atomicAdd(target, 1, pe);
            case AND -> Shmem.atomicAnd(target, -2 << i, pe);
            case OR -> Shmem.atomicOr(target, 1 << i, pe);
            case XOR -> Shmem.atomicXor(target, 1, pe);
            case SET -> Shmem.atomicSet(target, i + 1, pe);
            case SWAP -> ignored = Shmem.atomicSwap(target, i + 1, pe);
            case FETCH_INC -> ignored = Shmem.atomicFetchInc(target, pe);
            case FETCH_ADD -> ignored = Shmem.atomicFetchAdd(target, 1, pe);
            case FETCH_AND -> ignored = Shmem.atomicFetchAnd(target, -2 << i, pe);
            case FETCH_OR -> ignored = Shmem.atomicFetchOr(target, 1 << i, pe);
            case FETCH_XOR -> ignored = Shmem.atomicFetchXor(target, 1, pe);
            case COMPARE_SWAP -> ignored = Shmem.atomicCompareSwap(target, i, i + 1, pe);
        }
    }

    // ---- collectives ----

    @Kernel
    static void synchronize(@Constant DevicePerftest test, @Constant Group group, int iterations) {
        ShmemTeam world = ShmemTeam.world();
        for (int i = 0; i < iterations; i++) {
            switch (test) {
                case BARRIER -> {
                    switch (group) {
                        case THREAD -> Shmem.barrier(world);
                        case WARP -> ShmemWarp.barrier(world);
                        case BLOCK -> ShmemBlock.barrier(world);
                    }
                }
                case BARRIER_ALL -> {
                    switch (group) {
                        case THREAD -> Shmem.barrierAll();
                        case WARP -> ShmemWarp.barrierAll();
                        case BLOCK -> ShmemBlock.barrierAll();
                    }
                }
                case SYNC -> {
                    switch (group) {
                        case THREAD -> Shmem.sync(world);
                        case WARP -> ShmemWarp.sync(world);
                        case BLOCK -> ShmemBlock.sync(world);
                    }
                }
                default -> {
                    switch (group) {
                        case THREAD -> Shmem.syncAll();
                        case WARP -> ShmemWarp.syncAll();
                        case BLOCK -> ShmemBlock.syncAll();
                    }
                }
            }
        }
    }

    /** Of elements of 4 or 8 bytes. */
    @Kernel
    static void collective(
            @Constant DevicePerftest test,
            @Constant Group group,
            @Constant int bytes,
            @Constant ReduceOp op,
            I8Ptr destination,
            I8Ptr source,
            long count,
            int iterations) {
        for (int i = 0; i < iterations; i++) {
            if (bytes == 4) {
                collectively(test, group, op, destination.asI32(), source.asI32(), count);
            } else {
                collectively(test, group, op, destination.asI64(), source.asI64(), count);
            }
        }
    }

    private static <P extends Ptr> void collectively(
            DevicePerftest test, Group group, ReduceOp op, P destination, P source, long count) {
        ShmemTeam world = ShmemTeam.world();
        switch (group) {
            case THREAD -> {
                switch (test) {
                    case BROADCAST -> Shmem.broadcast(world, destination, source, count, 0);
                    case FCOLLECT -> Shmem.fcollect(world, destination, source, count);
                    case ALL_TO_ALL -> Shmem.allToAll(world, destination, source, count);
                    case REDUCTION -> Shmem.reduce(world, destination, source, count, op);
                    default -> Shmem.reduceScatter(world, destination, source, count, op);
                }
            }
            case WARP -> {
                switch (test) {
                    case BROADCAST -> ShmemWarp.broadcast(world, destination, source, count, 0);
                    case FCOLLECT -> ShmemWarp.fcollect(world, destination, source, count);
                    case ALL_TO_ALL -> ShmemWarp.allToAll(world, destination, source, count);
                    case REDUCTION -> ShmemWarp.reduce(world, destination, source, count, op);
                    default -> ShmemWarp.reduceScatter(world, destination, source, count, op);
                }
            }
            case BLOCK -> {
                switch (test) {
                    case BROADCAST -> ShmemBlock.broadcast(world, destination, source, count, 0);
                    case FCOLLECT -> ShmemBlock.fcollect(world, destination, source, count);
                    case ALL_TO_ALL -> ShmemBlock.allToAll(world, destination, source, count);
                    case REDUCTION -> ShmemBlock.reduce(world, destination, source, count, op);
                    default -> ShmemBlock.reduceScatter(world, destination, source, count, op);
                }
            }
        }
    }

    // ---- who moves ----

    private static <P extends Ptr> void put(Group group, P destination, P source, long count, int pe) {
        switch (group) {
            case THREAD -> Shmem.putNbi(destination, source, count, pe);
            case WARP -> ShmemWarp.put(destination, source, count, pe);
            case BLOCK -> ShmemBlock.put(destination, source, count, pe);
        }
    }

    private static <P extends Ptr> void putNbi(Group group, P destination, P source, long count, int pe) {
        switch (group) {
            case THREAD -> Shmem.putNbi(destination, source, count, pe);
            case WARP -> ShmemWarp.putNbi(destination, source, count, pe);
            case BLOCK -> ShmemBlock.putNbi(destination, source, count, pe);
        }
    }

    private static <P extends Ptr> void getNbi(Group group, P destination, P source, long count, int pe) {
        switch (group) {
            case THREAD -> Shmem.getNbi(destination, source, count, pe);
            case WARP -> ShmemWarp.getNbi(destination, source, count, pe);
            case BLOCK -> ShmemBlock.getNbi(destination, source, count, pe);
        }
    }
}
