// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/** PEs of OpenSHMEM, embedded or native. */
final class OpenShmemRanks extends HostRanks {
    private final OpenShmem shmem;
    private final SymmetricArray sums;

    OpenShmemRanks(OpenShmem shmem) {
        this.shmem = shmem;
        this.sums = shmem.allocate(DataType.FLOAT64, Slab.MAX_DEPTH);
    }

    @Override
    public String engine() {
        return "shmem";
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
    HaloExchange halo(Slab slab) {
        return new OpenShmemHalo(shmem, slab);
    }

    @Override
    void sum(double[] values) {
        SymmetricArray part = sums.slice(0, values.length);
        part.copyFrom(values);
        shmem.world().reduce(part, part, ReduceOp.SUM);
        for (int i = 0; i < values.length; i++) {
            values[i] = part.getDouble(i);
        }
    }

    @Override
    Rows rows(DataType type, long count) {
        SymmetricArray array = shmem.allocate(type, count);
        return new Rows() {
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
        };
    }
}
