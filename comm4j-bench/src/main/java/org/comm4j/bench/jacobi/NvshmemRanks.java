// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;

/** PEs, whose grids are symmetric memory: what a row is called here it is called at every neighbour. */
final class NvshmemRanks extends GpuRanks {
    private final Nvshmem shmem;

    NvshmemRanks(Nvshmem shmem) {
        this.shmem = shmem;
    }

    @Override
    public String engine() {
        return "nvshmem";
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
    public Device device() {
        return shmem.device();
    }

    @Override
    public void barrier() {
        shmem.barrierAll();
    }

    @Override
    DeviceArray allocate(DataType type, long count) {
        return shmem.allocate(type, count);
    }

    @Override
    GpuHalo halo(GpuSlab slab) {
        return size() == 1 ? GpuHalo.alone(slab) : new Ring(slab);
    }

    /** The other one's rows are simply read: after the barrier before they do not change. */
    @Override
    void toFirst(GpuSlab slab, int grid, int row, int count, int from, DeviceArray target) {
        if (rank() == 0) {
            shmem.get(target, (SymmetricArray) slab.rows(grid, row, count), from);
        }
    }

    /**
     * Rows are put into the neighbours' halos, each with a signal. The signals have a place for each grid and side: 1
     * means that the rows are there, and whoever has waited for it sets it to 0 again. That is in time: a neighbour
     * signals for the same grid again two exchanges later, so after it has got what this rank sends in the next one.
     * And it overwrites no rows that are still read: it has got what this rank sent after it had read them. Nothing
     * counts up, so all this can be recorded and repeated.
     */
    private final class Ring implements GpuHalo {
        private static final int ABOVE = 0;
        private static final int BELOW = 1;

        private final SymmetricArray signals;
        private final Way[] up = new Way[2];
        private final Way[] down = new Way[2];

        /** What goes to one neighbour, by grid: from here, to there. */
        private record Way(SymmetricArray source, SymmetricArray target) {}

        Ring(GpuSlab slab) {
            signals = shmem.allocate(DataType.UINT64, 4);
            int depth = slab.depth();
            int rowsAbove = slab.problem().rowsOf(above(), size());
            for (int grid = 0; grid < 2; grid++) {
                up[grid] = new Way(rows(slab, grid, 0, depth), rows(slab, grid, rowsAbove, depth));
                down[grid] = new Way(rows(slab, grid, slab.rows() - depth, depth), rows(slab, grid, -depth, depth));
            }
        }

        private static SymmetricArray rows(GpuSlab slab, int grid, int from, int count) {
            return (SymmetricArray) slab.rows(grid, from, count);
        }

        @Override
        public void exchange(int grid, Stream stream) {
            int place = 2 * grid;
            shmem.putSignal(up[grid].target, up[grid].source, signals, place + BELOW, 1, SignalOp.SET, above(), stream);
            shmem.putSignal(
                    down[grid].target, down[grid].source, signals, place + ABOVE, 1, SignalOp.SET, below(), stream);
            shmem.signalWaitUntil(signals, place + ABOVE, Comparison.EQ, 1, stream);
            shmem.signalWaitUntil(signals, place + BELOW, Comparison.EQ, 1, stream);
            signals.slice(place, 2).fill(0, stream);
        }

        @Override
        public void sum(DeviceArray sum, Stream stream) {
            SymmetricArray numbers = (SymmetricArray) sum;
            shmem.world().reduce(numbers, numbers, ReduceOp.SUM, stream);
        }

        @Override
        public void close() {
            signals.close();
        }
    }
}
