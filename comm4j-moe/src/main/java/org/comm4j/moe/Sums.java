// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.core.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Sums of a combine, and what is added to them. For each token t, in FLOAT32 and in this order, rounded once:
 *
 * <pre>{@code
 * sum = fma(weights[t][k], result of choice k, sum)    // from 0, k from 0 on
 * out[t] = factor * sum  + bias[t]  + out[t]           // bias and out where they were asked for
 * }</pre>
 *
 * @param out {@code [tokens or more, hidden]} FLOAT32, BFLOAT16 or FLOAT16
 * @param weights {@code [tokens or more, choices]} FLOAT32; null for 1
 * @param bias of the type and shape of {@code out}; null for none
 * @param factor of all sums
 * @param accumulate whether the sums are added to what {@code out} has
 * @param results answers of the experts, row for row; null for {@link Routed#results}
 */
public record Sums(
        Buffer out,
        @Nullable Buffer weights,
        @Nullable Buffer bias,
        float factor,
        boolean accumulate,
        @Nullable Buffer results) {
    public Sums {
        nonNull(out, "Sums", "out");
        if (bias != null && bias.type() != out.type()) {
            throw new IllegalArgumentException("Sums: the bias " + bias + " is not of the type of " + out);
        }
    }

    /** Returns sums without weights that go to an array. */
    public static Sums into(Buffer out) {
        return new Sums(out, null, null, 1, false, null);
    }

    /** Returns these sums with weights. */
    public Sums weights(Buffer weights) {
        return new Sums(out, nonNull(weights, "weights", "weights"), bias, factor, accumulate, results);
    }

    /** Returns these sums with an array that is added to them. */
    public Sums bias(Buffer bias) {
        return new Sums(out, weights, nonNull(bias, "bias", "bias"), factor, accumulate, results);
    }

    /** Returns these sums times a factor. */
    public Sums factor(float factor) {
        return new Sums(out, weights, bias, factor, accumulate, results);
    }

    /** Returns these sums, added to what is in the array or not. */
    public Sums accumulate(boolean adds) {
        return new Sums(out, weights, bias, factor, adds, results);
    }

    /**
     * Returns these sums, of answers in another array than {@link Routed#results}. If it is symmetric, other PEs read
     * it there; else it is copied.
     */
    public Sums results(Buffer results) {
        return new Sums(out, weights, bias, factor, accumulate, nonNull(results, "results", "results"));
    }
}
