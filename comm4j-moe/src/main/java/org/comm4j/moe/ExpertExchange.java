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
    /** Dispatches the first tokens of an array; {@link #dispatch(Tokens, Stream)}, waited for. */
    default Routed dispatch(Buffer x, Buffer chosen, int tokens) {
        return dispatch(Tokens.of(x, chosen, tokens));
    }

    /** Dispatches the first tokens of an array; {@link #dispatch(Tokens, Stream)}. */
    default Routed dispatch(Buffer x, Buffer chosen, int tokens, Stream stream) {
        return dispatch(Tokens.of(x, chosen, tokens), stream);
    }

    /** {@link #dispatch(Tokens, Stream)}, waited for. */
    Routed dispatch(Tokens tokens);

    /**
     * Sends tokens to the PEs of their experts. Numbers of experts that there are not are dropped, and the next call or
     * {@link #check} throws. A call without a stream that throws has ended its dispatch on this PE.
     *
     * @return what came to this PE; it is handed to combine
     * @throws IllegalArgumentException if arrays do not fit the shape
     * @throws IllegalStateException if as many dispatches as the options allow have not been combined yet
     */
    Routed dispatch(Tokens tokens, Stream stream);

    /** Combines with weights; {@link #combine(Sums, Routed, Stream)}, waited for. */
    default void combine(Buffer out, Routed routed, Buffer weights) {
        combine(Sums.into(out).weights(weights), routed);
    }

    /** Combines with weights; {@link #combine(Sums, Routed, Stream)}. */
    default void combine(Buffer out, Routed routed, Buffer weights, Stream stream) {
        combine(Sums.into(out).weights(weights), routed, stream);
    }

    /** {@link #combine(Sums, Routed, Stream)}, waited for. */
    void combine(Sums sums, Routed routed);

    /**
     * Sums the experts' answers of each token that was dispatched, in the order of its choices. Dropped choices add
     * nothing; rows of the output behind those of tokens stay as they are. Ends the use of {@code routed}.
     *
     * @throws IllegalStateException if {@code routed} was combined already
     */
    void combine(Sums sums, Routed routed, Stream stream);

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
