// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.RankTeam;
import org.comm4j.nccl.Window;

/** A rank of the tests of {@link NcclDevice}, on a GPU or on the CPU. All ranks do the same in the same order. */
abstract class NcclPlace implements AutoCloseable {
    static final int BARRIERS = 8;
    static final int BLOCKS = 2;
    static final int SLOTS = 1024;
    static final int BYTES = 1 << 20;

    final DeviceResource exchange = DeviceResource.lowLatencyAllToAll(BLOCKS, SLOTS);
    final DeviceResource memory = DeviceResource.of(4096, 128, 0, 0);
    /** Those with an even, or with an odd rank, if there are as many of both. */
    final DeviceResource halves;

    final DeviceResource groups;
    private final RankTeam half;
    /** Freed at the end. */
    final List<AutoCloseable> owned = new ArrayList<>();

    NcclPlace(int rank, int size) {
        // All ranks ask for the same amount.
        this.half = size % 2 == 0 ? new RankTeam(size / 2, rank / 2, 2) : new RankTeam(size, rank, 1);
        this.halves = DeviceResource.lsaBarriers(half, BARRIERS);
        this.groups = DeviceResource.lsaBarriers(new RankTeam(size, rank, 1), 64);
    }

    final DeviceRequirements requirements() {
        return DeviceRequirements.NONE
                .lsaBarriers(BARRIERS)
                .resource(exchange)
                .resource(memory)
                .resource(halves)
                .resource(groups);
    }

    abstract NcclDevice nccl();

    abstract KernelCompiler<?> compiler();

    /** Of all ranks, of so many bytes; zeros. */
    abstract Buffer array(DataType type, long count);

    abstract LsaWindow window(Buffer array);

    /** Of this rank. */
    abstract Buffer own(DataType type, long count);

    /** Runs a kernel to its end, and does {@link NcclDevice#check}. */
    abstract void run(CompiledKernel kernel, LaunchConfig config, Object... arguments);

    /** All ranks have come. */
    abstract void barrier();

    abstract boolean onGpu();

    RankTeam half() {
        return half;
    }

    int rank() {
        return nccl().comm().rank();
    }

    int size() {
        return nccl().comm().size();
    }

    SplittableRandom random(int salt) {
        return new SplittableRandom(DeviceContract.SEED + salt);
    }

    @Override
    public void close() {
        for (AutoCloseable each : owned.reversed()) {
            try {
                each.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    static NcclPlace of(HostShmem shmem) {
        return new OnCpu(shmem);
    }

    static NcclPlace of(NcclCommunicator communicator) {
        return new OnGpu(communicator);
    }

    private static final class OnCpu extends NcclPlace {
        private final HostShmem shmem;
        private final NcclDevice nccl;
        private final KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.fast());

        OnCpu(HostShmem shmem) {
            super(shmem.myPe(), shmem.nPes());
            this.shmem = shmem;
            this.nccl = NcclDevice.of(shmem, requirements());
            owned.add(nccl);
            owned.add(compiler);
        }

        @Override
        NcclDevice nccl() {
            return nccl;
        }

        @Override
        KernelCompiler<?> compiler() {
            return compiler;
        }

        @Override
        Buffer array(DataType type, long count) {
            SymmetricArray made = shmem.allocate(type, count);
            made.fill(0);
            owned.add(made);
            shmem.barrierAll();
            return made;
        }

        @Override
        LsaWindow window(Buffer array) {
            return nccl.window(array);
        }

        @Override
        Buffer own(DataType type, long count) {
            return HostArray.allocate(type, count);
        }

        @Override
        void run(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            kernel.launch(config, arguments);
            nccl.check();
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        boolean onGpu() {
            return false;
        }
    }

    private static final class OnGpu extends NcclPlace {
        private final NcclCommunicator communicator;
        private final NcclDevice nccl;
        private final KernelCompiler<GpuKernel> compiler;
        private final Stream stream;

        OnGpu(NcclCommunicator communicator) {
            super(communicator.rank(), communicator.size());
            this.communicator = communicator;
            this.stream = communicator.device().newStream();
            this.nccl = NcclDevice.of(communicator, requirements());
            this.compiler = KernelCompiler.of(communicator.device());
            owned.add(stream);
            owned.add(nccl);
            owned.add(compiler);
        }

        @Override
        NcclDevice nccl() {
            return nccl;
        }

        @Override
        KernelCompiler<?> compiler() {
            return compiler;
        }

        @Override
        Buffer array(DataType type, long count) {
            // NCCL's windows begin at multiples of pages.
            DeviceArray made = communicator.allocate(type, count);
            made.fill(0);
            owned.add(made);
            return made;
        }

        @Override
        LsaWindow window(Buffer array) {
            Window window = communicator.registerWindow((DeviceArray) array, Window.Flag.SYMMETRIC);
            owned.add(window);
            return nccl.window(window);
        }

        @Override
        Buffer own(DataType type, long count) {
            DeviceArray made = communicator.device().allocate(type, count);
            made.fill(0);
            owned.add(made);
            return made;
        }

        @Override
        void run(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            ((GpuKernel) kernel).launch(config, stream, arguments);
            nccl.synchronize(stream);
        }

        @Override
        void barrier() {
            communicator.barrier();
        }

        @Override
        boolean onGpu() {
            return true;
        }
    }
}
