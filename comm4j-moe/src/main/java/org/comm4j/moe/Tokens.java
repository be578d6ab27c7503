// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of a dispatch, and what goes along with them:
 *
 * <pre>{@code
 * ep.dispatch(Tokens.of(x, chosen, 128).scales(s).payload(positions));
 * }</pre>
 *
 * @param x {@code [count or more, hidden]} of the shape's type
 * @param chosen {@code [count or more, choices]} INT32, UINT32 or INT64: experts from 0 on, or -1 for a dropped choice
 * @param count number of tokens; of tokens whose number is on the device, the most
 * @param countOnDevice INT32 scalar that is read when the kernel runs, so that one graph serves all counts; null for
 *     {@code count}
 * @param scales of each token, as many as the shape says; null for none
 * @param scaleRow elements from a token's scales to the next one's
 * @param scaleStep elements from one scale of a token to the next
 * @param payloads one for each of the shape, {@code [count or more, bytes]}
 * @param weights of {@link ExpertLayout#BY_RANK}, {@code [count or more, choices]} FLOAT32; else null
 * @param into array of the program for the rows that this PE gets, as {@link Routed#x}; null for memory of the exchange
 * @param scalesInto array of the program for their scales, as {@link Routed#scales}; null for memory of the exchange
 */
public record Tokens(
        Buffer x,
        Buffer chosen,
        int count,
        @Nullable Buffer countOnDevice,
        @Nullable Buffer scales,
        long scaleRow,
        long scaleStep,
        List<Buffer> payloads,
        @Nullable Buffer weights,
        @Nullable Buffer into,
        @Nullable Buffer scalesInto) {
    public Tokens {
        nonNull(x, "Tokens", "x");
        nonNull(chosen, "Tokens", "chosen");
        payloads = List.copyOf(payloads);
        if (count < 0) {
            throw new IllegalArgumentException("Tokens: there are no " + count + " tokens");
        }
        if (countOnDevice != null && (countOnDevice.type() != DataType.INT32 || countOnDevice.count() < 1)) {
            throw new IllegalArgumentException("Tokens: " + countOnDevice + " is no INT32 scalar");
        }
        if (scaleRow < 0 || scaleStep < 0) {
            throw new IllegalArgumentException(
                    "Tokens: strides of scales are 0 or more, not " + scaleRow + " and " + scaleStep);
        }
    }

    /** Returns the first {@code count} tokens of an array. */
    public static Tokens of(Buffer x, Buffer chosen, int count) {
        return new Tokens(x, chosen, count, null, null, 0, 0, List.of(), null, null, null);
    }

    /**
     * Returns the tokens of an array whose number is in the memory of the device.
     *
     * @param count INT32 scalar
     * @param most of them; the arrays have room for so many
     */
    public static Tokens of(Buffer x, Buffer chosen, Buffer count, int most) {
        nonNull(count, "Tokens", "count");
        return new Tokens(x, chosen, most, count, null, 0, 0, List.of(), null, null, null);
    }

    /** Returns these tokens with their scales, {@code [count or more, scales]}. */
    public Tokens scales(Buffer scales) {
        nonNull(scales, "scales", "scales");
        return new Tokens(x, chosen, count, countOnDevice, scales, 0, 1, payloads, weights, into, scalesInto);
    }

    /** Returns these tokens with scales at any strides: scale s of token t is element {@code t * row + s * step}. */
    public Tokens scales(Buffer scales, long row, long step) {
        nonNull(scales, "scales", "scales");
        return new Tokens(x, chosen, count, countOnDevice, scales, row, step, payloads, weights, into, scalesInto);
    }

    /** Returns the elements from a token's scales to the next one's, where a token has so many of them. */
    long scaleStride(int scales) {
        return scaleRow == 0 && scaleStep == 1 ? scales : scaleRow;
    }

    /** Returns these tokens with a further array that goes along, the next one of the shape's payloads. */
    public Tokens payload(Buffer payload) {
        List<Buffer> more = new ArrayList<>(payloads);
        more.add(nonNull(payload, "payload", "payload"));
        return new Tokens(
                x, chosen, count, countOnDevice, scales, scaleRow, scaleStep, more, weights, into, scalesInto);
    }

    /** Returns these tokens with the weights of their choices, which {@link ExpertLayout#BY_RANK} sends along. */
    public Tokens weights(Buffer weights) {
        nonNull(weights, "weights", "weights");
        return new Tokens(
                x, chosen, count, countOnDevice, scales, scaleRow, scaleStep, payloads, weights, into, scalesInto);
    }

    /**
     * Returns these tokens, whose PEs' rows come into an array of the program. If it is symmetric, and PEs reach each
     * other's memory, rows are placed there directly, and all PEs pass the same array; else they are copied when they
     * have come.
     *
     * @param rows {@code [rows of a PE, hidden]} as {@link Routed#x}, of which it takes the place
     */
    public Tokens into(Buffer rows) {
        nonNull(rows, "into", "rows");
        return new Tokens(
                x, chosen, count, countOnDevice, scales, scaleRow, scaleStep, payloads, weights, rows, scalesInto);
    }

    /** Returns these tokens, whose scales come into an array of the program, in the way of {@link #into(Buffer)}. */
    public Tokens scalesInto(Buffer scales) {
        nonNull(scales, "scalesInto", "scales");
        return new Tokens(
                x, chosen, count, countOnDevice, this.scales, scaleRow, scaleStep, payloads, weights, into, scales);
    }
}
