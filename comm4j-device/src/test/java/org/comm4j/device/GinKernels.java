// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels that use the network: between them they call all of {@link Gin} and {@link GinBarriers}. */
final class GinKernels {
    private GinKernels() {}

    /**
     * Every block sends its part to the next rank, many times, and looks at what has come from the one before. Two
     * signals for a block: it came, and there is room again.
     */
    @Kernel
    static void ring(
            @Constant Coop coop,
            Gin gin,
            GinWindow to,
            GinWindow from,
            I32Ptr received,
            I32Ptr sent,
            int count,
            int rounds,
            I32Ptr wrong) {
        int block = BlockIdx.x();
        int next = (gin.rank() + 1) % gin.size();
        int previous = (gin.rank() + gin.size() - 1) % gin.size();
        long at = 4L * count * block;
        for (int round = 1; round <= rounds; round++) {
            for (int i = coop.rank(); i < count; i += coop.size()) {
                sent.set(block * count + i, message(round, gin.rank(), block, i));
            }
            gin.putSignalCounter(coop, next, to, at, from, at, 4L * count, block, block);
            boolean came = gin.waitSignal(coop, block, round);
            for (int i = coop.rank(); i < count; i += coop.size()) {
                if (!came || received.get(block * count + i) != message(round, previous, block, i)) {
                    wrong.atomicAdd(0, 1);
                }
            }
            // The source is free, and the rank before may send again.
            gin.waitCounter(coop, block, round);
            gin.signal(coop, previous, NcclPlace.BLOCKS_OF_RING + block);
            gin.waitSignal(coop, NcclPlace.BLOCKS_OF_RING + block, round);
        }
    }

    private static int message(int round, int rank, int block, int i) {
        return (round << 20) ^ (rank << 16) ^ (block << 12) ^ i;
    }

    /** One of some puts, in one of all ways. */
    @Kernel
    static void put(
            Gin gin, int how, int peer, GinWindow to, long toOffset, GinWindow from, long fromOffset, long bytes) {
        if (how == 0) {
            gin.put(Coop.BLOCK, peer, to, toOffset, from, fromOffset, bytes);
            gin.signalAdd(Coop.BLOCK, peer, 0, 10);
        } else if (how == 1) {
            gin.putCounter(Coop.WARP, peer, to, toOffset, from, fromOffset, bytes, 0);
            gin.waitCounter(Coop.WARP, 0, 1);
            gin.resetCounter(0);
            gin.signalAdd(Coop.WARP, peer, 0, 10);
        } else {
            gin.putSignalAdd(Coop.THREAD, peer, to, toOffset, from, fromOffset, bytes, 0, 10);
        }
        gin.flush(Coop.BLOCK);
    }

    @Kernel
    static void await(Gin gin, int signal, long least) {
        gin.waitSignal(Coop.BLOCK, signal, least);
    }

    @Kernel
    static void awaitCounter(Gin gin, int counter, long least) {
        gin.waitCounter(Coop.BLOCK, counter, least);
    }

    /** Every thread tells every rank a number, at a place of its own. */
    @Kernel
    static void values(Gin gin, GinWindow ints, GinWindow longs, int threads) {
        int thread = ThreadIdx.x();
        for (int peer = 0; peer < gin.size(); peer++) {
            int place = gin.rank() * threads + thread;
            if (thread % 2 == 0) {
                gin.putValueSignal(Coop.THREAD, peer, ints, 4L * place, 1000 * gin.rank() + thread, 0);
                gin.putValueSignal(Coop.THREAD, peer, longs, 8L * place, ((long) gin.rank() << 40) + thread, 0);
            } else {
                gin.putValue(Coop.THREAD, peer, ints, 4L * place, 1000 * gin.rank() + thread);
                gin.putValue(Coop.THREAD, peer, longs, 8L * place, ((long) gin.rank() << 40) + thread);
                gin.signal(Coop.THREAD, peer, 0);
                gin.signal(Coop.THREAD, peer, 0);
            }
        }
        gin.waitSignal(Coop.BLOCK, 0, 2L * threads * gin.size());
    }

    /** What a kernel can do with signals and their shadows; one thread, signals to this rank itself. */
    @Kernel
    static void shadows(Gin gin, I64Ptr found) {
        found.set(0, gin.readSignal(1));
        gin.signalAdd(Coop.THREAD, gin.rank(), 1, 5);
        found.set(1, gin.waitSignalFollowShadow(Coop.THREAD, 1, 5));
        found.set(2, gin.shadow(1).get(0));
        gin.increaseShadow(1, 2);
        gin.signalAdd(Coop.THREAD, gin.rank(), 1, 2);
        found.set(3, gin.waitSignalMeetShadow(Coop.THREAD, 1) ? 1 : 0);
        found.set(4, gin.readSignal(1));
        gin.resetSignal(1);
        found.set(5, gin.readSignal(1));
        found.set(6, gin.shadow(1).get(0));
        // Numbers begin anew.
        gin.signalAdd(Coop.THREAD, gin.rank(), 1, Long.MAX_VALUE);
        gin.signalAdd(Coop.THREAD, gin.rank(), 1, 10);
        found.set(7, gin.waitSignal(Coop.THREAD, 1, Long.MIN_VALUE + 9) ? 1 : 0);
        found.set(8, gin.readCounter(1));
    }

    /** Each rank copies the memory of all. */
    @Kernel
    static void gather(Gin gin, GinWindow from, GinWindow to, long bytes) {
        for (int peer = 0; peer < gin.size(); peer++) {
            gin.get(Coop.BLOCK, peer, from, 0, to, peer * bytes, bytes);
        }
        gin.flush(Coop.BLOCK);
    }

    /** Groups of threads tell each other their rounds, by puts that no signal follows but the barrier's. */
    @Kernel
    static void rounds(
            @Constant Coop coop, GinBarriers barriers, GinWindow window, I32Ptr words, int rounds, I32Ptr wrong) {
        int group = BlockIdx.x() * (org.comm4j.kernel.lang.BlockDim.x() / coop.size()) + ThreadIdx.x() / coop.size();
        Gin gin = barriers.gin();
        for (int round = 1; round <= rounds; round++) {
            for (int peer = 0; peer < gin.size(); peer++) {
                gin.putValue(coop, peer, window, 4L * (group * gin.size() + gin.rank()), round);
            }
            boolean met = barriers.sync(coop, group);
            for (int rank = 0; rank < gin.size(); rank++) {
                if (!met || words.getVolatile(group * gin.size() + rank) != round) {
                    wrong.atomicAdd(0, 1);
                }
            }
            barriers.sync(coop, group, false, false);
        }
    }

    /** Each of the functions that there are once, to be compiled; {@link Gin#get} on request. */
    @Kernel
    static void functions(
            @Constant boolean gets, Gin gin, GinBarriers barriers, GinWindow to, GinWindow from, I64Ptr out, int peer) {
        if (gets) {
            gin.get(Coop.BLOCK, peer, from, 0, to, 0, 8);
        }
        gin.put(Coop.BLOCK, peer, to, 0, from, 0, 8);
        gin.putValue(Coop.BLOCK, peer, to, 0, 1L);
        // Signals and flushes.
        barriers.sync(Coop.BLOCK, 0);
        out.set(0, gin.readSignal(0) + gin.readCounter(0));
        gin.increaseShadow(0, 1);
        gin.resetSignal(0);
        gin.resetCounter(0);
    }

    /** All methods, to be compiled, which takes the linker a minute; {@link Gin#get} on request. */
    @Kernel
    static void everything(
            @Constant boolean gets, Gin gin, GinBarriers barriers, GinWindow to, GinWindow from, I64Ptr out, int peer) {
        if (gets) {
            gin.get(Coop.BLOCK, peer, from, 0, to, 0, 8);
        }
        gin.put(Coop.BLOCK, peer, to, 0, from, 0, 8);
        gin.putCounter(Coop.WARP, peer, to, 0, from, 0, 8, 0);
        gin.putSignal(Coop.THREAD, peer, to, 0, from, 0, 8, 0);
        gin.putSignalAdd(Coop.BLOCK, peer, to, 0, from, 0, 8, 0, 2);
        gin.putSignalCounter(Coop.BLOCK, peer, to, 0, from, 0, 8, 0, 0);
        gin.putValue(Coop.BLOCK, peer, to, 0, 1);
        gin.putValue(Coop.BLOCK, peer, to, 0, 1L);
        gin.putValueSignal(Coop.BLOCK, peer, to, 0, 1, 0);
        gin.putValueSignal(Coop.BLOCK, peer, to, 0, 1L, 0);
        gin.signal(Coop.WARP, peer, 0);
        gin.signalAdd(Coop.WARP, peer, 0, 5);
        gin.flush(Coop.BLOCK);
        gin.waitSignal(Coop.BLOCK, 0, 1);
        gin.waitSignalMeetShadow(Coop.BLOCK, 0);
        out.set(0, gin.waitSignalFollowShadow(Coop.BLOCK, 0, 1));
        gin.increaseShadow(0, 1);
        gin.resetSignal(0);
        gin.waitCounter(Coop.BLOCK, 0, 1);
        out.set(1, gin.readSignal(0) + gin.readCounter(0));
        gin.resetCounter(0);
        barriers.sync(Coop.BLOCK, 0);
    }

    @Kernel
    static void meet(GinBarriers barriers, int index) {
        barriers.sync(Coop.BLOCK, index);
    }
}
