// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Options of an {@link ExpertParallel}, the same on all PEs.
 *
 * @param layout order of the rows that a PE gets
 * @param padding of {@link ExpertLayout#RAGGED}: each expert begins at a multiple of so many rows, 1 to 256
 * @param capacity of {@link ExpertLayout#RAGGED}: rows that a PE has room for; 0 for the worst case
 * @param inFlight dispatches whose rows exist at the same time, each with memory of its own
 * @param results type of the experts' answers; null for {@code FLOAT32} where tokens are that, else {@code BFLOAT16}
 *     or {@code FLOAT16} as the tokens are, else {@code BFLOAT16}. {@code FLOAT8_E4M3} has scales ({@link
 *     Routed#resultScales}) and half of the bytes: where {@link FusedExperts#answer} makes it of {@code y}, a sum is
 *     off by at most the sum of {@code |weight| * (|y| / 16 + a / 2^18)}, with {@code a} the largest {@code |y|} of
 *     128
 * @param quantize conversion of tokens on their way
 * @param group PEs with the same tokens, neighbours by number; each route is sent once, and all of them get the sums
 * @param scaleColumns whether each scale is a column: {@code [experts, scales, tokens * groups]} or {@code [scales,
 *     capacity]}; else the scales of a row follow each other
 * @param placement of experts on PEs; null for equal shares
 * @param localExperts experts for which a PE has room, so that the placement can be replaced; 0 for those of the
 *     placement
 * @param renormalize whether, of a token with choices whose experts no PE has after {@link ExpertParallel#exclude}, the
 *     weights of the others are multiplied by the sum of all divided by the sum of the others; else these choices add
 *     nothing
 */
public record MoeOptions(
        ExpertLayout layout,
        int padding,
        int capacity,
        int inFlight,
        @Nullable DataType results,
        Quantization quantize,
        int group,
        boolean scaleColumns,
        @Nullable ExpertPlacement placement,
        int localExperts,
        boolean renormalize) {
    /** {@link ExpertLayout#PADDED}, two dispatches in flight. */
    public static final MoeOptions DEFAULT =
            new MoeOptions(ExpertLayout.PADDED, 1, 0, 2, null, Quantization.NONE, 1, false, null, 0, false);

    private static final int MOST_PADDING = 256;
    private static final int MOST_IN_FLIGHT = 16;

    public MoeOptions {
        nonNull(layout, "MoeOptions", "layout");
        nonNull(quantize, "MoeOptions", "quantize");
        if (group < 1) {
            throw new IllegalArgumentException("MoeOptions: there is no group of " + group + " PEs");
        }
        if (padding < 1 || padding > MOST_PADDING) {
            throw new IllegalArgumentException("MoeOptions: padding is 1 to " + MOST_PADDING + " rows, not " + padding);
        }
        if (capacity < 0) {
            throw new IllegalArgumentException("MoeOptions: there is no capacity of " + capacity + " rows");
        }
        if (inFlight < 1 || inFlight > MOST_IN_FLIGHT) {
            throw new IllegalArgumentException(
                    "MoeOptions: 1 to " + MOST_IN_FLIGHT + " dispatches can be in flight, not " + inFlight);
        }
        if (localExperts < 0) {
            throw new IllegalArgumentException("MoeOptions: a PE cannot have room for " + localExperts + " experts");
        }
        if (results != null) {
            switch (results) {
                case FLOAT32, BFLOAT16, FLOAT16, FLOAT8_E4M3 -> {}
                default ->
                    throw new IllegalArgumentException(
                            "MoeOptions: answers are FLOAT32, BFLOAT16, FLOAT16 or FLOAT8_E4M3, not " + results);
            }
        }
        if (layout != ExpertLayout.RAGGED && (padding != 1 || capacity != 0)) {
            throw new IllegalArgumentException(
                    "MoeOptions: padding and capacity are of the layout RAGGED: set layout(RAGGED) first");
        }
    }

    /** Returns these options with another layout. */
    public MoeOptions layout(ExpertLayout layout) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options where each expert begins at a multiple of so many rows. */
    public MoeOptions padding(int rows) {
        return new MoeOptions(
                layout,
                rows,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options with room for so many rows on each PE; 0 for the worst case. */
    public MoeOptions capacity(int rows) {
        return new MoeOptions(
                layout,
                padding,
                rows,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options with so many dispatches whose rows exist at the same time. */
    public MoeOptions inFlight(int dispatches) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                dispatches,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options with answers of this type. */
    public MoeOptions results(DataType type) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                nonNull(type, "results", "type"),
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options where tokens are converted on their way. */
    public MoeOptions quantize(Quantization quantize) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options where so many neighbouring PEs have the same tokens. */
    public MoeOptions group(int pes) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                pes,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options where each scale is a column, as matrix products want them, or not. */
    public MoeOptions scaleColumns(boolean columns) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                columns,
                placement,
                localExperts,
                renormalize);
    }

    /** Returns these options with experts placed by a table. */
    public MoeOptions placement(ExpertPlacement placement) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                nonNull(placement, "placement", "placement"),
                localExperts,
                renormalize);
    }

    /** Returns these options with room for so many experts on each PE, for placements to come. */
    public MoeOptions localExperts(int most) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                most,
                renormalize);
    }

    /** Returns these options where, of a token with lost experts, the weights of the others are raised, or not. */
    public MoeOptions renormalize(boolean renormalize) {
        return new MoeOptions(
                layout,
                padding,
                capacity,
                inFlight,
                results,
                quantize,
                group,
                scaleColumns,
                placement,
                localExperts,
                renormalize);
    }

    DataType results(MoeShape shape) {
        if (results != null) {
            return results;
        }
        return switch (shape.input()) {
            case FLOAT32, FLOAT16 -> shape.input();
            default -> DataType.BFLOAT16;
        };
    }
}
