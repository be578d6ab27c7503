// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/**
 * Bare kernels that move the bytes of a dispatch and a combine whose routes all PEs know: what those cannot be faster
 * than. A row is read once and stored to all its places, or its answers are read where they are.
 */
final class FloorKernels {
    /** Bytes between the flags of two PEs. */
    static final int LINE = 128;

    static final int THREADS = 512;

    /** Elements of an answer that a thread sums at once. */
    private static final int UNIT = 8;

    private FloorKernels() {}

    /** Tells all PEs this epoch, and waits for theirs. To be called by all threads of a block. */
    private static void meet(I8Ptr flags, I64Ptr distances, int me, int pes, int epoch) {
        tell(flags, distances, me, pes, epoch);
        await(flags, pes, epoch);
    }

    private static void tell(I8Ptr flags, I64Ptr distances, int me, int pes, int epoch) {
        for (int pe = ThreadIdx.x(); pe < pes; pe += BlockDim.x()) {
            flags.plus(distances.get(pe) + (long) me * LINE).asI32().setRelease(0, epoch, Scope.SYSTEM);
        }
    }

    private static void await(I8Ptr flags, int pes, int epoch) {
        for (int pe = ThreadIdx.x(); pe < pes; pe += BlockDim.x()) {
            I32Ptr flag = flags.plus((long) pe * LINE).asI32();
            while (flag.getAcquire(0, Scope.SYSTEM) < epoch) {}
        }
    }

    /** Makes all PEs tell each other something once. One block. */
    @Kernel(maxThreads = THREADS)
    static void meeting(I8Ptr flags, I64Ptr distances, int me, int pes, int epoch) {
        meet(flags, distances, me, pes, epoch);
    }

    /**
     * Stores each row to its places, and waits until all PEs have done so.
     *
     * @param choices places of a row
     * @param base memory of this PE, at the same place in that of others, {@code distances} bytes further
     * @param targets bytes from {@code base} to the places of each row
     * @param vectors 16-byte words of a row
     * @param done 0 between launches
     */
    @Kernel(maxThreads = THREADS)
    static void push(
            @Constant int choices,
            I8Ptr flags,
            I64Ptr distances,
            I8Ptr base,
            I64Ptr targets,
            I32Ptr x,
            int vectors,
            int tokens,
            int me,
            int pes,
            int epoch,
            I32Ptr done) {
        for (int t = BlockIdx.x(); t < tokens; t += GridDim.x()) {
            for (int i = ThreadIdx.x(); i < vectors; i += BlockDim.x()) {
                Int4 data = x.get4(4 * ((long) t * vectors + i));
                for (int k = 0; k < choices; k++) {
                    Unroll.all();
                    base.plus(targets.get((long) t * choices + k)).asI32().set4(4L * i, data);
                }
            }
        }
        int[] isLast = Shared.i32(1);
        Block.sync();
        if (ThreadIdx.x() == 0) {
            isLast[0] = done.atomicAdd(0, 1, Scope.DEVICE, Order.ACQ_REL) == GridDim.x() - 1 ? 1 : 0;
            if (isLast[0] != 0) {
                done.set(0, 0);
            }
        }
        Block.sync();
        if (isLast[0] != 0) {
            meet(flags, distances, me, pes, epoch);
        }
    }

    /**
     * Waits until all PEs have begun, and sums the answers of each token's choices. Blocks share a row in two.
     *
     * @param sources bytes from {@code base} to the answers of each token
     * @param hidden BFLOAT16 elements of an answer, a multiple of 16
     */
    @Kernel(maxThreads = THREADS)
    static void pull(
            @Constant int choices,
            I8Ptr flags,
            I64Ptr distances,
            I8Ptr base,
            I64Ptr sources,
            F32Ptr weights,
            I32Ptr out,
            int hidden,
            int tokens,
            int me,
            int pes,
            int epoch) {
        if (BlockIdx.x() == 0) {
            tell(flags, distances, me, pes, epoch);
        }
        await(flags, pes, epoch);
        Block.sync();
        int half = hidden / UNIT / 2;
        int[] words = new int[4 * choices];
        float[] sums = new float[UNIT];
        for (int item = BlockIdx.x(); item < 2 * tokens; item += GridDim.x()) {
            int t = item / 2;
            int end = (item % 2 + 1) * half;
            for (int i = item % 2 * half + ThreadIdx.x(); i < end; i += BlockDim.x()) {
                for (int k = 0; k < choices; k++) {
                    Unroll.all();
                    Int4 four = base.plus(sources.get((long) t * choices + k))
                            .asI32()
                            .get4(4L * i);
                    words[4 * k] = four.x();
                    words[4 * k + 1] = four.y();
                    words[4 * k + 2] = four.z();
                    words[4 * k + 3] = four.w();
                }
                for (int e = 0; e < UNIT; e++) {
                    Unroll.all();
                    sums[e] = 0;
                }
                for (int k = 0; k < choices; k++) {
                    Unroll.all();
                    float weight = weights.get((long) t * choices + k);
                    for (int e = 0; e < UNIT; e++) {
                        Unroll.all();
                        int word = words[4 * k + e / 2];
                        float value = Float.intBitsToFloat((e & 1) == 0 ? word << 16 : word & 0xffff0000);
                        sums[e] = Math.fma(weight, value, sums[e]);
                    }
                }
                out.set4(
                        4 * ((long) t * (hidden / UNIT) + i),
                        new Int4(
                                pair(sums[0], sums[1]),
                                pair(sums[2], sums[3]),
                                pair(sums[4], sums[5]),
                                pair(sums[6], sums[7])));
            }
        }
    }

    private static int pair(float low, float high) {
        return BFloat162.of(low, high).bits();
    }

    /** Makes each answer of this PE its number modulo 8, so that sums tell where they are from. */
    @Kernel(maxThreads = THREADS)
    static void number(BF16Ptr answers, int rows, int hidden) {
        for (int row = BlockIdx.x(); row < rows; row += GridDim.x()) {
            for (int i = ThreadIdx.x(); i < hidden; i += BlockDim.x()) {
                answers.set((long) row * hidden + i, row % 8);
            }
        }
    }
}
