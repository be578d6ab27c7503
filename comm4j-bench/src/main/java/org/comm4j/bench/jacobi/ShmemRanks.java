// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/** The ranks of a {@link Jacobi} as PEs of OpenSHMEM. */
public final class ShmemRanks implements HostRanks {
    private final OpenShmem shmem;
    private final String engine;
    private final SymmetricArray sums;

    /**
     * Collective over all PEs of {@code shmem}, of which this holds memory from now on.
     *
     * @param engine as results name it
     */
    public ShmemRanks(OpenShmem shmem, String engine) {
        this.shmem = shmem;
        this.engine = engine;
        this.sums = shmem.allocate(DataType.FLOAT64, Slab.MAX_DEPTH);
    }

    @Override
    public String engine() {
        return engine;
    }

    @Override
    public int rank() {
        return shmem.myPe();
    }

    @Override
    public int size() {
        return shmem.nPes();
    }

    @Override
    public void barrier() {
        shmem.barrierAll();
    }

    @Override
    public HaloExchange halo(Slab slab) {
        return new ShmemHalo(shmem, slab);
    }

    @Override
    public void sum(double[] values) {
        SymmetricArray part = sums.slice(0, values.length);
        part.copyFrom(values);
        shmem.world().reduce(part, part, ReduceOp.SUM);
        for (int i = 0; i < values.length; i++) {
            values[i] = part.getDouble(i);
        }
    }

    @Override
    public Rows rows(DataType type, long count) {
        return new SymmetricRows(shmem.allocate(type, count));
    }

    private final class SymmetricRows implements Rows {
        private final SymmetricArray array;

        SymmetricRows(SymmetricArray array) {
            this.array = array;
        }

        @Override
        public HostArray array() {
            return array;
        }

        @Override
        public void toFirst(long count, int from) {
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
