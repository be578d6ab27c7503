// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Functions of dispatch and combine for kernels of the program, with the {@link RoutedRows} of a {@link Routed}:
 *
 * <pre>{@code
 * @Kernel
 * static void experts(RoutedRows rows, F32Ptr w) {
 *     for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
 *         if (FusedExperts.await(rows, e)) {
 *             for (int row = rows.begin(e); row < rows.end(e); row++) {
 *                 multiply(FusedExperts.row(rows, row), w, FusedExperts.result(rows, row));
 *             }
 *         }
 *     }
 * }
 * }</pre>
 */
@KernelLibrary
public final class FusedExperts {
    private FusedExperts() {}

    /**
     * Waits for the rows of a local expert, of {@link ExpertLayout#BY_RANK} for those of a source group: after a {@code
     * dispatchSend} alone, until the PEs that have any have sent theirs; after a whole dispatch it returns at once. To
     * be called by all threads of a block, which see the rows then.
     *
     * @return whether they came, for all threads of the block alike; if not, the next call on the host throws
     */
    public static boolean await(RoutedRows rows, int expert) {
        MoeSpace space = rows.space();
        int epoch = space.epoch().get(0);
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < space.living() && complete; i += BlockDim.x()) {
            int pe = space.peer(i);
            I32Ptr flag = space.base().plus(space.flags() + 4L * pe).asI32();
            // Most rows are there, and then counts need not be looked at.
            if (flag.getAcquire(0, Scope.SYSTEM) != epoch && Counting.comes(space, epoch, pe, expert)) {
                complete = Waiting.flag(space, flag, epoch, Waiting.ROWS, pe);
            }
        }
        return Block.syncAnd(complete);
    }

    /** Returns where a row is. */
    public static I8Ptr row(RoutedRows rows, int row) {
        MoeSpace space = rows.space();
        return space.base().plus(space.rows() + (long) row * space.rowBytes());
    }

    /** Returns where the answer to a row belongs; combine reads it there. */
    public static I8Ptr result(RoutedRows rows, int row) {
        return rows.space().base().plus(rows.space().results() + (long) row * rows.resultBytes());
    }

    /** Returns where the scales of an answer of FLOAT8_E4M3 belong, one for each 128 elements. */
    public static F32Ptr resultScales(RoutedRows rows, int row) {
        int scales = ScaledAnswers.scales(rows.hidden());
        return rows.space()
                .base()
                .plus(rows.space().resultScales() + 4L * row * scales)
                .asF32();
    }

    /** What a row is made of. */
    @FunctionalInterface
    public interface RowSource {
        float at(int column);
    }

    /**
     * Writes the answer to a row: rounded to {@code type}, or of {@link SumType#E4M3} as {@link
     * Quantization#FP8_BLOCK_128} defines it, with its scales. To be called by all threads of a block, in whole warps.
     *
     * @param type of results, a constant
     * @param source called once for each column, by some thread
     */
    public static void answer(RoutedRows rows, SumType type, int row, RowSource source) {
        if (type == SumType.E4M3) {
            ScaledAnswers.set(rows, row, source);
        } else {
            I8Ptr to = result(rows, row);
            for (int i = ThreadIdx.x(); i < rows.hidden(); i += BlockDim.x()) {
                SumType.set(type, to, i, source.at(i));
            }
        }
    }

    /**
     * Says that the answer to a row is there. The PEs of a token get to know it when all answers to them are there, so
     * their combine need not wait until this PE combines. To be called by all threads of the block that wrote the
     * answer, once for a row, or for none; combine says it of all. Of a dispatch along earlier routes it says nothing.
     */
    public static void done(RoutedRows rows, int row) {
        Announcing.done(rows.space(), row);
    }

    /**
     * Says that a part of the answers of a local expert is there, where several blocks make them: columns, or rows.
     * Once all parts of all local experts are said, also of those without rows, all PEs get to know it. To be called by
     * all threads of each such block, once for an expert and part, or for none. Of {@link ExpertLayout#BY_RANK} the
     * rows are those of a source group, which gets to know it once all its parts are said.
     *
     * @param parts of each expert's answers, the same in all calls of a dispatch
     */
    public static void donePart(RoutedRows rows, int expert, int parts) {
        Announcing.donePart(rows.space(), expert, parts);
    }

    /** What a local expert answers to a token. */
    @FunctionalInterface
    public interface LocalAnswer {
        float of(int choice, int expert, int column);
    }

    /**
     * Writes the answer to a row of {@link ExpertLayout#BY_RANK}: the sum of what its local experts answer, times their
     * weights, {@code fma(weight, answer, sum)} in FLOAT32 from 0, in the order of choices, rounded once. To be called
     * by all threads of a block.
     *
     * @param type of results, a constant
     * @param answer called once for each column and each choice of this PE, by some thread
     */
    public static void localSum(RoutedRows rows, SumType type, int row, LocalAnswer answer) {
        answer(rows, type, row, i -> {
            float sum = 0;
            for (int k = 0; k < rows.choices(); k++) {
                int expert = rows.expert(row, k);
                if (expert >= 0) {
                    sum = Math.fma(rows.weight(row, k), answer.of(k, expert, i), sum);
                }
            }
            return sum;
        });
    }

    /** What a token is made of. */
    @FunctionalInterface
    public interface TokenSource {
        float at(int token, int column);
    }

    /** What becomes of a sum. */
    @FunctionalInterface
    public interface TokenSink {
        void accept(int token, int column, float sum);
    }

    /**
     * Dispatches tokens that are made on their way, by {@link ExpertParallel#reserve}: norms, activations, products of
     * other kernels. To be called by all threads of a grid, launched with {@link ExpertParallel#blocks} on all PEs,
     * once. As {@code dispatchSend} it waits for counts alone.
     *
     * @param type of the shape's elements, a constant
     * @param chosen INT32 experts of each token
     * @param tokens 0 to those that were reserved
     * @param source called once for each element, by some thread; rounded to {@code type}
     */
    public static void dispatch(RoutedRows rows, SumType type, I32Ptr chosen, int tokens, TokenSource source) {
        MoeSpace space = rows.space();
        I8Ptr base = space.base();
        Payloads.Along alone = new Payloads.Along(base.asF32(), base, 0, 1, Payloads.none(base));
        SendKernels.RowSource made = (token, vector) -> type == SumType.F32
                ? new Int4(
                        Float.floatToRawIntBits(source.at(token, 4 * vector)),
                        Float.floatToRawIntBits(source.at(token, 4 * vector + 1)),
                        Float.floatToRawIntBits(source.at(token, 4 * vector + 2)),
                        Float.floatToRawIntBits(source.at(token, 4 * vector + 3)))
                : new Int4(
                        SumType.pair(type, source.at(token, 8 * vector), source.at(token, 8 * vector + 1)),
                        SumType.pair(type, source.at(token, 8 * vector + 2), source.at(token, 8 * vector + 3)),
                        SumType.pair(type, source.at(token, 8 * vector + 4), source.at(token, 8 * vector + 5)),
                        SumType.pair(type, source.at(token, 8 * vector + 6), source.at(token, 8 * vector + 7)));
        if (space.isPlain()) {
            MoeSpace plain = space.plain();
            SendKernels.send(false, false, type, plain, base, 0, made, chosen.asI8(), 4, tokens, alone, 1, false);
        } else {
            SendKernels.send(false, false, type, space, base, 0, made, chosen.asI8(), 4, tokens, alone, 1, false);
        }
    }

    /** {@link #combine(RoutedRows, SumType, boolean, F32Ptr, TokenSink)} of results that kernels before have made. */
    public static void combine(RoutedRows rows, SumType type, F32Ptr weights, TokenSink sink) {
        combine(rows, type, false, weights, sink);
    }

    /**
     * Combines, and hands the sums over: residuals, norms. To be called by all threads of a grid on all PEs, once;
     * {@link Routed#close} ends the dispatch on the host afterwards. Sums are those of {@link ExpertExchange#combine},
     * in FLOAT32 and not rounded.
     *
     * <p>If kernels say of all answers that they are there, this one may run beside them: launched {@code dependently},
     * with {@code Grid.awaitPrevious} behind the sums. It begins when the answers to a block's tokens are there.
     *
     * @param type of results, a constant
     * @param done whether kernels of each PE call {@link #done} for all rows, or {@link #donePart} for all parts; a
     *     constant. Of a dispatch along earlier routes only {@code donePart} says so
     * @param weights of each token's choices
     * @param sink called once for each element, by some thread
     */
    public static void combine(RoutedRows rows, SumType type, boolean done, F32Ptr weights, TokenSink sink) {
        PullKernels.sums(rows, type, done, weights, sink);
    }
}
