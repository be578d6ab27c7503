// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** The ranks of a {@link Jacobi}: who they are, and how they exchange what lies in host memory. */
public interface HostRanks {
    /** Returns the engine's name in results. */
    String engine();

    int rank();

    int size();

    /** Returns when all have called it. */
    void barrier();

    /** Makes the exchange of halos between these slabs; all have swept when it is closed. Collective. */
    HaloExchange halo(Slab slab);

    /** Adds the values of all ranks, at most {@link Slab#MAX_DEPTH}, into each one's. Collective. */
    void sum(double[] values);

    /** Makes memory for {@link Rows#toFirst}; whoever calls it closes it. Collective. */
    Rows rows(DataType type, long count);

    /** A buffer of each rank. */
    interface Rows extends AutoCloseable {
        HostArray array();

        /** Copies the first {@code count} elements of the rank {@code from} to the first rank. Collective. */
        void toFirst(long count, int from);

        @Override
        void close();
    }
}
