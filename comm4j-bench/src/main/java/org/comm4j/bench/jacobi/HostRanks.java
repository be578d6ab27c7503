// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.host.HostCommunicator;
import org.comm4j.shmem.OpenShmem;

/** The ranks of a {@link Jacobi}: who they are, and how they exchange what lies in host memory. */
public abstract class HostRanks {
    HostRanks() {}

    /** Collective over the ranks of {@code comm}, of which this holds memory from now on. */
    public static HostRanks of(HostCommunicator comm) {
        return new CommunicatorRanks(comm);
    }

    /** Collective over all PEs of {@code shmem}, of which this holds memory from now on. */
    public static HostRanks of(OpenShmem shmem) {
        return new OpenShmemRanks(shmem);
    }

    /** As results name it. */
    public abstract String engine();

    public abstract int rank();

    public abstract int size();

    /** Returns when all have called it. */
    public abstract void barrier();

    /** Collective: the exchange of halos between these slabs; all have swept when it is closed. */
    abstract HaloExchange halo(Slab slab);

    /** Collective: adds the values of all ranks, at most {@link Slab#MAX_DEPTH}, into each one's. */
    abstract void sum(double[] values);

    /** Collective: memory for {@link Rows#toFirst}; whoever calls it closes it. */
    abstract Rows rows(DataType type, long count);

    /** A buffer of each rank. */
    interface Rows extends AutoCloseable {
        HostArray array();

        /** Collective: the first {@code count} elements of the rank {@code from} become those of the first rank. */
        void toFirst(long count, int from);

        @Override
        void close();
    }
}
