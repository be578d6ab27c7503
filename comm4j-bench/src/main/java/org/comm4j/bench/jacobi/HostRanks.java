// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/** The ranks of a {@link Jacobi}, PEs of OpenSHMEM: who they are, and how they exchange what lies in host memory. */
public final class HostRanks {
    private final OpenShmem shmem;
    private final String engine;
    private final SymmetricArray sums;

    /**
     * Collective over all PEs of {@code shmem}, of which this holds memory from now on.
     *
     * @param engine as results name it
     */
    public HostRanks(OpenShmem shmem, String engine) {
        this.shmem = shmem;
        this.engine = engine;
        this.sums = shmem.allocate(DataType.FLOAT64, Slab.MAX_DEPTH);
    }

    /** As results name it. */
    public String engine() {
        return engine;
    }

    public int rank() {
        return shmem.myPe();
    }

    public int size() {
        return shmem.nPes();
    }

    /** Returns when all have called it. */
    public void barrier() {
        shmem.barrierAll();
    }

    /** Collective: the exchange of halos between these slabs; all have swept when it is closed. */
    HaloExchange halo(Slab slab) {
        return new ShmemHalo(shmem, slab);
    }

    /** Collective: adds the values of all ranks, at most {@link Slab#MAX_DEPTH}, into each one's. */
    void sum(double[] values) {
        SymmetricArray part = sums.slice(0, values.length);
        part.copyFrom(values);
        shmem.world().reduce(part, part, ReduceOp.SUM);
        for (int i = 0; i < values.length; i++) {
            values[i] = part.getDouble(i);
        }
    }

    /** Collective: memory for {@link Rows#toFirst}; whoever calls it closes it. */
    Rows rows(DataType type, long count) {
        return new Rows(shmem.allocate(type, count));
    }

    /** A buffer of each rank. */
    final class Rows implements AutoCloseable {
        private final SymmetricArray array;

        private Rows(SymmetricArray array) {
            this.array = array;
        }

        HostArray array() {
            return array;
        }

        /** Collective: the first {@code count} elements of the rank {@code from} become those of the first rank. */
        void toFirst(long count, int from) {
            shmem.barrierAll();
            if (from != 0 && shmem.myPe() == 0) {
                shmem.get(array, array, count, from);
            }
            shmem.barrierAll();
        }

        @Override
        public void close() {
            array.close();
        }
    }
}
