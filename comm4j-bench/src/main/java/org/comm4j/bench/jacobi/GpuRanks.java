// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nvshmem.Nvshmem;

/** The ranks of a solve on GPUs, a GPU each, in a ring: what the solver needs of an engine. */
public abstract class GpuRanks {
    GpuRanks() {}

    /** The ranks of a communicator: rows go by send and receive in one group. */
    public static GpuRanks of(NcclCommunicator comm) {
        return new NcclRanks(comm);
    }

    /** PEs: rows are put into the neighbours' memory, with a signal. */
    public static GpuRanks of(Nvshmem shmem) {
        return new NvshmemRanks(shmem);
    }

    /** One rank, which is its own neighbour. */
    static GpuRanks alone(Device device) {
        return new Alone(device);
    }

    /** The engine's name. */
    public abstract String engine();

    public abstract int rank();

    public abstract int size();

    public abstract Device device();

    /** Collective: returns when all ranks have called it. */
    public abstract void barrier();

    /** Collective: memory that takes part in communication, as much on each rank. */
    abstract DeviceArray allocate(DataType type, long count);

    /** Collective: what moves the halo of these slabs, one on each rank. */
    abstract GpuHalo halo(GpuSlab slab);

    /**
     * Brings rows of rank {@code from}, which is not 0, to rank 0; both call it.
     *
     * @param slab the caller's
     * @param row the first of the rows, counted as those of the slab of rank {@code from}
     * @param target where they go on rank 0
     */
    abstract void toFirst(GpuSlab slab, int grid, int row, int count, int from, DeviceArray target);

    final int above() {
        return (rank() + size() - 1) % size();
    }

    final int below() {
        return (rank() + 1) % size();
    }

    private static final class Alone extends GpuRanks {
        private final Device device;

        Alone(Device device) {
            this.device = device;
        }

        @Override
        public String engine() {
            return "alone";
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Device device() {
            return device;
        }

        @Override
        public void barrier() {}

        @Override
        DeviceArray allocate(DataType type, long count) {
            return device.allocate(type, count);
        }

        @Override
        GpuHalo halo(GpuSlab slab) {
            return GpuHalo.alone(slab);
        }

        @Override
        void toFirst(GpuSlab slab, int grid, int row, int count, int from, DeviceArray target) {
            throw new AssertionError("there is no rank " + from);
        }
    }
}
