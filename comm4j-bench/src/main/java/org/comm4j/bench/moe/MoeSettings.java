// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import java.util.List;
import java.util.Locale;
import org.comm4j.core.DataType;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.moe.MoeOptions;
import org.comm4j.moe.MoeShape;
import org.comm4j.moe.Quantization;

/**
 * Settings of {@code comm4j bench moe}.
 *
 * @param experts of the layer
 * @param perToken choices of a token
 * @param hidden elements of a token
 * @param tokens of a PE in a call, one row of the table each
 * @param input what is dispatched
 * @param group PEs with the same tokens (data-parallel size)
 * @param layout of received rows
 * @param ways what is measured beside each other
 * @param graph whether pairs of dispatch and combine are measured in a captured graph, too
 * @param split whether the halves of dispatch and combine are measured, too
 * @param fused whether a whole layer is measured, too: in steps, and by kernels that communicate themselves
 * @param skew exponent of the popularity of experts; 0 for equal chances
 * @param sameRoutes whether all calls have the same routes
 * @param blocks of a kernel at most; 0 for the exchange's own choice
 * @param samples timed calls, at most; fewer where they would take more than two seconds
 * @param seed of routes
 */
public record MoeSettings(
        int experts,
        int perToken,
        int hidden,
        List<Integer> tokens,
        Input input,
        int group,
        ExpertLayout layout,
        List<Way> ways,
        boolean graph,
        boolean split,
        boolean fused,
        double skew,
        boolean sameRoutes,
        int blocks,
        int samples,
        long seed) {
    /** Elements that share a scale. */
    static final int SCALED = 128;

    /** Elements of the tokens that are dispatched. */
    public enum Input {
        /** FLOAT8_E4M3 with a FLOAT32 scale for 128 elements. */
        FP8,
        /** BFLOAT16. */
        BF16,
        /** BFLOAT16 that dispatch quantizes to what FP8 is. */
        QUANTIZED
    }

    /** Ways in which rows go. */
    public enum Way {
        /** {@link org.comm4j.moe.ExpertParallel}. */
        KERNELS,
        /** NCCL's messages as counts say. */
        NCCL_COUNTED,
        /** NCCL's messages of all rows that can be, of {@link ExpertLayout#BY_RANK}. */
        NCCL_PADDED,
        /** All-gather of tokens and reduce-scatter of sums by NCCL, for {@link ExpertLayout#PADDED} and RAGGED. */
        NCCL_GATHER,
        /** Bare kernels that move the same bytes, of a layer whose routes all PEs know. */
        FLOOR;

        /** Whether rows go by NCCL. */
        boolean isNccl() {
            return this == NCCL_COUNTED || this == NCCL_PADDED || this == NCCL_GATHER;
        }

        /** Whether the host waits for the stream within a dispatch. */
        boolean hostWaits() {
            return this == NCCL_COUNTED;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public MoeSettings {
        tokens = List.copyOf(tokens);
        ways = List.copyOf(ways);
        if (tokens.isEmpty() || ways.isEmpty()) {
            throw new IllegalArgumentException("nothing to measure: no number of tokens, or no way");
        }
        tokens.forEach(count -> positive(count, "tokens"));
        positive(experts, "experts");
        positive(perToken, "choices of a token");
        positive(hidden, "elements of a token");
        positive(group, "PEs with the same tokens");
        positive(samples, "samples");
        if (blocks < 0) {
            throw new IllegalArgumentException(blocks + " blocks: 0 or more are needed");
        }
        if (perToken > experts) {
            throw new IllegalArgumentException(
                    perToken + " choices of " + experts + " experts: they are different ones");
        }
        if (input != Input.BF16 && hidden % SCALED != 0) {
            throw new IllegalArgumentException(hidden + " elements: a scale is for " + SCALED + " of them");
        }
        if (!(skew >= 0 && skew <= 10)) {
            throw new IllegalArgumentException("a skew of " + skew + ": 0 to 10 is needed");
        }
        if (layout == ExpertLayout.BY_RANK && ways.contains(Way.FLOOR)) {
            throw new IllegalArgumentException("the bare kernels send a row for each choice, which BY_RANK does not");
        }
        if (layout != ExpertLayout.BY_RANK && ways.contains(Way.NCCL_PADDED)) {
            throw new IllegalArgumentException("nccl-padded is for the layout by_rank: nccl-counted sends the others");
        }
        if (layout == ExpertLayout.BY_RANK && ways.contains(Way.NCCL_GATHER)) {
            throw new IllegalArgumentException(
                    "nccl-gather is for the layouts padded and ragged: with it each rank has" + " all tokens");
        }
        if (fused && (input != Input.BF16 || layout == ExpertLayout.BY_RANK || !ways.contains(Way.KERNELS))) {
            throw new IllegalArgumentException(
                    "--fused measures kernels (--ways) with bf16 (--input) in the layouts padded and ragged");
        }
        if (fused && hidden % LayerKernels.DEPTH != 0) {
            throw new IllegalArgumentException("--fused multiplies rows of a multiple of " + LayerKernels.DEPTH
                    + " elements, not " + hidden + " (--hidden)");
        }
        if (group > 1 && ways.stream().anyMatch(Way::isNccl)) {
            throw new IllegalArgumentException("NCCL's messages are for tokens of one PE each");
        }
        if (group > 1 && ways.contains(Way.FLOOR)) {
            throw new IllegalArgumentException("the bare kernels are for tokens of one PE each");
        }
    }

    private static void positive(int count, String what) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " " + what + ": at least 1 is needed");
        }
    }

    /** Returns the type of the array that is dispatched. */
    DataType inputType() {
        return input == Input.FP8 ? DataType.FLOAT8_E4M3 : DataType.BFLOAT16;
    }

    /** Returns the bytes of a row on its way, with its scales. */
    public long rowBytes() {
        return input == Input.BF16 ? 2L * hidden : hidden + 4L * (hidden / SCALED);
    }

    /** Returns the bytes of an expert's answer. */
    public long answerBytes() {
        return 2L * hidden;
    }

    /** Returns the shape for so many tokens. */
    public MoeShape shape(int count) {
        MoeShape shape = MoeShape.experts(experts)
                .perToken(perToken)
                .hidden(hidden)
                .tokens(count)
                .input(inputType());
        return input == Input.FP8 ? shape.scales(hidden / SCALED, DataType.FLOAT32) : shape;
    }

    /** Returns the options of the exchange. */
    public MoeOptions options() {
        MoeOptions options = MoeOptions.DEFAULT.layout(layout).group(group).results(DataType.BFLOAT16);
        return input == Input.QUANTIZED ? options.quantize(Quantization.FP8_BLOCK_128) : options;
    }
}
