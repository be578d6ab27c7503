// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;

/**
 * An exchange of rows at both ends of a rank's part of an array with its neighbours, again and again. {@link
 * Compute#halo} makes one where ranks write into each other's memory. Every rank calls it, on the thread that computes.
 */
public interface HaloExchange {
    /**
     * Contiguous pieces at equal distances in a buffer.
     *
     * @param count number of pieces
     * @param bytes of a piece
     * @param stride bytes from one piece to the next
     * @param offset bytes before the first one
     */
    record Slices(long count, long bytes, long stride, long offset) {
        /** Returns the bytes of all pieces. */
        public long total() {
            return count * bytes;
        }
    }

    /**
     * What a rank and its neighbour at one end exchange; the neighbour has as much of both.
     *
     * @param rank the neighbour
     * @param sent what of the array goes to it
     * @param rim where its rows arrive
     * @param received what of the rim they are
     */
    record Side(int rank, Slices sent, Buffer rim, Slices received) {}

    /** Fetches the rows of the neighbours, in the order of what is computed. */
    void exchange(Buffer x);

    /**
     * Starts to fetch the rows of the neighbours beside what is computed until {@link #end}, which must not write
     * {@code x}, nor touch the rims.
     */
    void begin(Buffer x);

    /** Makes what is computed after this call see the rows of the neighbours. On a GPU the host does not wait. */
    void end();
}
