// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

/**
 * What a {@link Slab} asks of its communication while it sweeps. A sweep goes from stripe to stripe, so the rows of one
 * stripe travel while the next ones are computed.
 *
 * <p>In a sweep that needs its halo, {@link #receive} is called once for each stripe, in order, before anything reads
 * that stripe's halo; {@link #send} is called once for each stripe, in order, as soon as its rows are final. A
 * neighbour can be ahead by one sweep at most, hence two landing buffers for each side and stripe, used in turn, need
 * no acknowledgement.
 */
public interface HaloExchange extends AutoCloseable {

    /** Waits for both neighbours' rows of the stripe and hands them to {@link Slab#putHalo}. */
    void receive(Slab slab, int stripe, int depth);

    /** Takes the stripe's border rows by {@link Slab#getBorder} and ships them to both neighbours. */
    void send(Slab slab, int stripe, int depth);

    /** Frees the landing places, when all ranks have received what was sent to them. */
    @Override
    default void close() {}
}
