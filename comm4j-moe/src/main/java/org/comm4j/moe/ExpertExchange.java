// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.Buffer;
import org.comm4j.cuda.Stream;

/**
 * Exchange of a mixture-of-experts layer: {@code dispatch} sends tokens to the PEs of their experts, {@code combine}
 * sums the experts' answers where the tokens are. All PEs make the same calls in the same order, also those without a
 * token.
 *
 * <p>Calls with a stream return at once; what they do is ordered in it, and may be captured into a graph. Calls without
 * one return when it is done. On the CPU there are no streams.
 */
public interface ExpertExchange extends AutoCloseable {
    /** {@link #dispatch(Buffer, Buffer, int, Stream)}, waited for. */
    Routed dispatch(Buffer x, Buffer chosen, int tokens);

    /**
     * Sends the first {@code tokens} rows of {@code x} to the PEs of their experts.
     *
     * @param x {@code [tokens or more, hidden]} of the shape's type
     * @param chosen {@code [tokens or more, choices]} INT32, UINT32 or INT64: experts from 0 on, or -1 for a dropped
     *     choice; the same one may come twice. Other numbers are dropped, and the next call or {@code check} throws
     * @param tokens of this PE, 0 to the most of the shape
     * @return what came to this PE; it is handed to combine
     * @throws IllegalStateException if as many dispatches as the options allow have not been combined yet
     */
    Routed dispatch(Buffer x, Buffer chosen, int tokens, Stream stream);

    /** {@link #combine(Buffer, Routed, Buffer, Stream)}, waited for. */
    void combine(Buffer out, Routed routed, Buffer weights);

    /**
     * Sets {@code out[t]} to the sum of {@code weights[t][k] * results[k of t]} over the choices k of each token that
     * was dispatched. The sum is {@code fma(weight, result, sum)} in FLOAT32, from 0, in the order of choices, rounded
     * once. Dropped choices add nothing. Ends the use of {@code routed}.
     *
     * @param out {@code [tokens or more, hidden]} FLOAT32, BFLOAT16 or FLOAT16; rows behind the tokens stay as they are
     * @param routed what dispatch gave, with results in {@link Routed#results}
     * @param weights {@code [tokens or more, choices]} FLOAT32
     * @throws IllegalStateException if {@code routed} was combined already
     */
    void combine(Buffer out, Routed routed, Buffer weights, Stream stream);

    /**
     * Throws what kernels have found since the last call that threw.
     *
     * @throws IllegalArgumentException if a route was no expert's
     * @throws IllegalStateException if a PE had too few rows
     * @throws org.comm4j.core.CommException if a kernel has waited for another PE in vain
     */
    void check();

    /** Collective: frees the memory, on all PEs. A second time it does nothing. */
    @Override
    void close();
}
