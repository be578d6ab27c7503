// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

/** A side of a slab: towards the rank with the smaller (ABOVE) or larger (BELOW) row numbers, around the ring. */
public enum Side {
    ABOVE,
    BELOW;

    /** The same border seen from the neighbour. */
    public Side opposite() {
        return this == ABOVE ? BELOW : ABOVE;
    }

    /** The rank on this side of {@code rank}; rank 0 and the last one are neighbours. */
    public int neighbour(int rank, int ranks) {
        return this == ABOVE ? (rank + ranks - 1) % ranks : (rank + 1) % ranks;
    }
}
