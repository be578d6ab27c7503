// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.kernel.lang.AsyncCopy;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.BulkCopy;
import org.comm4j.kernel.lang.Cluster;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Mbarrier;
import org.comm4j.kernel.lang.Mma;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** One of everything that goes on by itself, and fragments in all ways. */
final class AsyncKernels {
    private AsyncKernels() {}

    /** Reversed within groups of 4 elements: by each size of copy. */
    @Kernel
    static void copies(F32Ptr from, F32Ptr to) {
        float[] shared = Shared.f32(96);
        int i = ThreadIdx.x();
        F32Ptr s = F32Ptr.of(shared);
        AsyncCopy.copy4(s.plus(i), from.plus(i));
        AsyncCopy.commit();
        if (i < 16) {
            AsyncCopy.copy8(s.plus(32 + i * 2), from.plus(32 + i * 2));
        }
        AsyncCopy.commit();
        if (i < 8) {
            AsyncCopy.copy16(s.plus(64 + i * 4), from.plus(64 + i * 4), i < 7 ? 16 : 8);
        }
        AsyncCopy.waitFor(1);
        Block.sync();
        to.set(i, shared[31 - i]);
        AsyncCopy.waitAll();
        Block.sync();
        to.set(32 + i, shared[63 - i]);
        to.set(64 + i, shared[95 - i]);
    }

    /** Sizes of 4 and 8 bytes that are not full. */
    @Kernel
    static void parts(F32Ptr from, F32Ptr to) {
        float[] shared = Shared.f32(8);
        F32Ptr s = F32Ptr.of(shared);
        AsyncCopy.copy4(s, from, 4);
        AsyncCopy.copy4(s.plus(1), from.plus(1), 0);
        AsyncCopy.copy8(s.plus(2), from.plus(2), 4);
        AsyncCopy.copy16(s.plus(4), from.plus(4));
        AsyncCopy.waitAll();
        for (int i = 0; i < 8; i++) {
            to.set(i, shared[i]);
        }
        Block.sync();
    }

    /** Forgets to wait. */
    @Kernel
    static void unwaited(F32Ptr from, F32Ptr to) {
        float[] shared = Shared.f32(32);
        AsyncCopy.copy4(F32Ptr.of(shared).plus(ThreadIdx.x()), from.plus(ThreadIdx.x()));
        AsyncCopy.commit();
        Block.sync();
        to.set(ThreadIdx.x(), shared[ThreadIdx.x()]);
    }

    /** One warp makes numbers, another adds them up: sm_80. */
    @Kernel
    static void pipe(int rounds, I32Ptr sum) {
        int[] box = Shared.i32(32);
        long[] barriers = Shared.i64(2);
        Mbarrier full = Mbarrier.of(barriers);
        Mbarrier empty = Mbarrier.of(barriers, 1);
        if (ThreadIdx.x() == 0) {
            full.init(32);
            empty.init(32);
        }
        Block.sync();
        if (Warp.id() == 0) {
            for (int i = 0; i < rounds; i++) {
                empty.await(i & 1 ^ 1);
                box[Warp.laneId()] = i * 100 + Warp.laneId();
                full.arrive();
            }
        } else {
            int mine = 0;
            for (int i = 0; i < rounds; i++) {
                while (!full.test(i & 1)) {}
                mine += box[31 - Warp.laneId()];
                empty.arrive();
            }
            sum.atomicAdd(0, mine);
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            full.invalidate();
            empty.invalidate();
        }
    }

    /** Each block of a cluster sends its part to the next one. */
    @Kernel
    static void ring(F32Ptr from, F32Ptr to) {
        float[] sent = Shared.f32(32);
        float[] got = Shared.f32(32);
        Mbarrier barrier = Mbarrier.of(Shared.i64(1));
        Mbarrier told = Mbarrier.of(Shared.i64(1));
        int i = ThreadIdx.x();
        int next = (Cluster.rank() + 1) % Cluster.size();
        if (i == 0) {
            barrier.init(1);
            told.init(Cluster.size());
            Fence.mbarrierInit();
            barrier.expect(64);
            barrier.arriveExpecting(64);
        }
        sent[i] = from.get(BlockIdx.x() * 32 + i);
        Fence.async();
        Cluster.sync();
        if (Warp.isLeader()) {
            BulkCopy.toCluster(Cluster.map(F32Ptr.of(got), next), F32Ptr.of(sent), 128, barrier.map(next));
        }
        barrier.await(0);
        if (i < Cluster.size()) {
            told.map(i).arriveInCluster();
        }
        told.await(0);
        to.set(BlockIdx.x() * 32 + i, got[i]);
        Cluster.sync();
    }

    @Kernel
    static void hints(int n, F32Ptr from, F32Ptr to) {
        Grid.awaitPrevious();
        Gpu.assume(n > 0);
        Gpu.prefetch(from);
        Gpu.prefetchL1(from);
        to.set(ThreadIdx.x(), from.get(ThreadIdx.x() % n));
        Grid.launchDependents();
        if (Warp.isLeader()) {
            to.set(0, 1);
        }
    }

    @Kernel
    static void notConstant(int n) {
        AsyncCopy.waitFor(n);
    }

    // A product of 16 × 16 and 16 × 8 elements, or 16 × 8 and 8 × 8.

    @Kernel
    static void f16(F16Ptr a, F16Ptr b, F32Ptr c) {
        Mma.storeC(c, 8, Mma.f16(Mma.loadA(a, 16), Mma.loadB(b, 8), Mma.loadC(c, 8)));
    }

    @Kernel
    static void f16Small(F16Ptr a, F16Ptr b, F16Ptr c) {
        Mma.storeC(c, 8, Mma.f16(Mma.loadA(a, 16), Mma.loadBTransposed(b, 16), Mma.C.zero()));
    }

    @Kernel
    static void bf16(BF16Ptr a, BF16Ptr b, F32Ptr c) {
        Mma.storeC(c, 8, Mma.bf16(Mma.loadA(a, 16), Mma.loadB(b, 8), Mma.loadC(c, 8)));
    }

    @Kernel
    static void bf16Small(BF16Ptr a, BF16Ptr b, BF16Ptr c) {
        Mma.storeC(c, 8, Mma.bf16(Mma.loadA(a, 16), Mma.loadBTransposed(b, 16), Mma.C.zero()));
    }

    @Kernel
    static void tf32(F32Ptr a, F32Ptr b, F32Ptr c) {
        Mma.storeC(c, 8, Mma.tf32(Mma.loadA(a, 8), Mma.loadB(b, 8), Mma.loadC(c, 8)));
    }

    @Kernel
    static void tf32Transposed(F32Ptr a, F32Ptr b, F32Ptr c) {
        Mma.storeC(c, 8, Mma.tf32(Mma.loadA(a, 8), Mma.loadBTransposed(b, 8), Mma.loadC(c, 8)));
    }

    /** What {@code ldmatrix} gives: 14 numbers for each lane. */
    @Kernel
    static void loads(I16Ptr from, I32Ptr to) {
        I16Ptr s = I16Ptr.of(Shared.i16(256));
        int lane = Warp.laneId();
        for (int i = lane; i < 256; i += 32) {
            s.set(i, from.get(i));
        }
        Warp.sync();
        I16Ptr row = s.plus(lane * 8L);
        Mma.A four = Mma.load4(row);
        Mma.A fourT = Mma.load4Transposed(row);
        Mma.B two = Mma.load2(row);
        Mma.B twoT = Mma.load2Transposed(row);
        I32Ptr mine = to.plus(lane * 14L);
        mine.set(0, four.x());
        mine.set(1, four.y());
        mine.set(2, four.z());
        mine.set(3, four.w());
        mine.set(4, fourT.x());
        mine.set(5, fourT.y());
        mine.set(6, fourT.z());
        mine.set(7, fourT.w());
        mine.set(8, two.x());
        mine.set(9, two.y());
        mine.set(10, twoT.x());
        mine.set(11, twoT.y());
        mine.set(12, Mma.load1(row));
        mine.set(13, Mma.load1Transposed(row));
    }
}
