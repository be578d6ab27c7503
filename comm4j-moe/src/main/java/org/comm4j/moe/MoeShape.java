// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;

/**
 * Shape of a mixture-of-experts layer, the same on all PEs:
 *
 * <pre>{@code
 * MoeShape.experts(256).perToken(8).hidden(7168).tokens(128).input(DataType.BFLOAT16)
 * }</pre>
 *
 * @param experts number of experts in the layer, on all PEs together
 * @param perToken choices of a token, at most {@value #MOST_CHOICES}, so that a warp has a token's routes
 * @param hidden elements of a token; 0 as long as it was not said
 * @param tokens most tokens of a PE in a call
 * @param input type of the elements that are dispatched
 * @param scales of a token, which go along with it
 * @param scaleType FLOAT32, or UINT8
 * @param payloads bytes of a token of each array that goes along, multiples of 4, at most {@value #MOST_PAYLOADS}
 */
public record MoeShape(
        int experts,
        int perToken,
        int hidden,
        int tokens,
        DataType input,
        int scales,
        DataType scaleType,
        List<Integer> payloads) {
    /** Most choices of a token. */
    public static final int MOST_CHOICES = 32;

    /** Most experts of a layer: their counts are in the shared memory of a block. */
    public static final int MOST_EXPERTS = 2048;

    /** Most arrays that go along with tokens. */
    public static final int MOST_PAYLOADS = 6;

    private static final int DEFAULT_TOKENS = 128;

    public MoeShape {
        nonNull(input, "MoeShape", "input");
        if (experts < 1 || experts > MOST_EXPERTS) {
            throw new IllegalArgumentException(
                    "MoeShape: a layer has 1 to " + MOST_EXPERTS + " experts, not " + experts);
        }
        if (perToken < 1 || perToken > MOST_CHOICES) {
            throw new IllegalArgumentException(
                    "MoeShape: a token has 1 to " + MOST_CHOICES + " choices, not " + perToken);
        }
        if (hidden < 0) {
            throw new IllegalArgumentException("MoeShape: a token cannot have " + hidden + " elements");
        }
        if (tokens < 1) {
            throw new IllegalArgumentException("MoeShape: the most tokens of a call are 1 or more, not " + tokens);
        }
        switch (input) {
            case BFLOAT16, FLOAT16, FLOAT32, FLOAT8_E4M3, FLOAT8_E5M2, INT8, UINT8 -> {}
            default ->
                throw new IllegalArgumentException("MoeShape: tokens are BFLOAT16, FLOAT16, FLOAT32, FLOAT8_E4M3,"
                        + " FLOAT8_E5M2, INT8 or UINT8, not " + input);
        }
        nonNull(scaleType, "MoeShape", "scaleType");
        payloads = List.copyOf(payloads);
        if (scales < 0 || scaleType != DataType.FLOAT32 && scaleType != DataType.UINT8) {
            throw new IllegalArgumentException(
                    "MoeShape: scales are FLOAT32 or UINT8, 0 or more, not " + scales + " x " + scaleType);
        }
        if (payloads.size() > MOST_PAYLOADS) {
            throw new IllegalArgumentException(
                    "MoeShape: at most " + MOST_PAYLOADS + " payloads go along, not " + payloads.size());
        }
        for (int bytes : payloads) {
            if (bytes < 4 || bytes % 4 != 0) {
                throw new IllegalArgumentException(
                        "MoeShape: a payload has a multiple of 4 bytes a token, not " + bytes);
            }
        }
        if ((long) tokens * perToken > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("MoeShape: " + tokens + " tokens of " + perToken
                    + " choices are more routes than " + Integer.MAX_VALUE);
        }
    }

    /** Returns the shape of a layer with so many experts; 1 choice a token, 128 tokens, BFLOAT16. */
    public static MoeShape experts(int experts) {
        return new MoeShape(experts, 1, 0, DEFAULT_TOKENS, DataType.BFLOAT16, 0, DataType.FLOAT32, List.of());
    }

    /** Returns this shape with so many choices a token. */
    public MoeShape perToken(int choices) {
        return new MoeShape(experts, choices, hidden, tokens, input, scales, scaleType, payloads);
    }

    /** Returns this shape with so many elements a token. */
    public MoeShape hidden(int elements) {
        return new MoeShape(experts, perToken, elements, tokens, input, scales, scaleType, payloads);
    }

    /** Returns this shape with so many tokens of a PE in a call at most. */
    public MoeShape tokens(int most) {
        return new MoeShape(experts, perToken, hidden, most, input, scales, scaleType, payloads);
    }

    /** Returns this shape with elements of this type. */
    public MoeShape input(DataType type) {
        return new MoeShape(experts, perToken, hidden, tokens, type, scales, scaleType, payloads);
    }

    /** Returns this shape with so many scales a token, FLOAT32 or UINT8, which go along with it. */
    public MoeShape scales(int count, DataType type) {
        return new MoeShape(experts, perToken, hidden, tokens, input, count, type, payloads);
    }

    /** Returns this shape with one more array that goes along, of so many bytes a token, a multiple of 4. */
    public MoeShape payload(int bytes) {
        List<Integer> more = new ArrayList<>(payloads);
        more.add(bytes);
        return new MoeShape(experts, perToken, hidden, tokens, input, scales, scaleType, more);
    }

    /**
     * Returns the bytes of a token.
     *
     * @throws IllegalArgumentException unless they are a positive multiple of 16
     */
    public int inputBytes() {
        long bytes = (long) hidden * input.bytes();
        if (bytes == 0 || bytes % 16 != 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("MoeShape: a token of " + hidden + " x " + input + " has " + bytes
                    + " bytes; it must be a multiple of 16 bytes" + (hidden == 0 ? ": set hidden(n)" : ""));
        }
        return (int) bytes;
    }
}
