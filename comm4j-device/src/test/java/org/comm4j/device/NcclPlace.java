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
import org.comm4j.kernel.CompileOptions;
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
    static final int BLOCKS_OF_RING = 3;
    static final int SIGNALS = 2 * BLOCKS_OF_RING;
    static final int COUNTERS = 3;

    /** Over the network: of all ranks, of the halves; and some numbers. */
    final DeviceResource networkBarriers;

    final DeviceResource networkHalves;
    final DeviceResource numbers = DeviceResource.of(0, 1, 3, 2);

    private final RankTeam half;
    private final boolean network;
    /** Freed at the end. */
    final List<AutoCloseable> owned = new ArrayList<>();

    NcclPlace(int rank, int size, boolean network) {
        this.network = network;
        // All ranks ask for the same amount.
        this.half = size % 2 == 0 ? new RankTeam(size / 2, rank / 2, 2) : new RankTeam(size, rank, 1);
        this.halves = DeviceResource.lsaBarriers(half, BARRIERS);
        this.groups = DeviceResource.lsaBarriers(new RankTeam(size, rank, 1), 64);
        this.networkBarriers = DeviceResource.networkBarriers(new RankTeam(size, rank, 1), BARRIERS);
        this.networkHalves = DeviceResource.networkBarriers(half, BARRIERS);
    }

    final DeviceRequirements requirements() {
        DeviceRequirements memoryOnly = DeviceRequirements.NONE
                .lsaBarriers(BARRIERS)
                .resource(exchange)
                .resource(memory)
                .resource(halves)
                .resource(groups);
        return network
                ? memoryOnly
                        .network(2, SIGNALS, COUNTERS)
                        .resource(networkBarriers)
                        .resource(numbers)
                        .resource(networkHalves)
                : memoryOnly;
    }

    /** One more of the same ranks, with a device of its own. */
    abstract NcclPlace another();

    abstract NcclDevice nccl();

    abstract KernelCompiler<?> compiler();

    /** Of all ranks, of so many bytes; zeros. */
    abstract Buffer array(DataType type, long count);

    abstract LsaWindow window(Buffer array);

    abstract GinWindow ginWindow(Buffer array);

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
        return new OnGpu(communicator, false);
    }

    /** For {@link GinCases}. */
    static NcclPlace withNetwork(NcclCommunicator communicator) {
        return new OnGpu(communicator, true);
    }

    private static final class OnCpu extends NcclPlace {
        private final HostShmem shmem;
        private final NcclDevice nccl;
        private final KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(CpuOptions.fast());

        OnCpu(HostShmem shmem) {
            super(shmem.myPe(), shmem.nPes(), true);
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
        GinWindow ginWindow(Buffer array) {
            return nccl.ginWindow(array);
        }

        @Override
        NcclPlace another() {
            return new OnCpu(shmem);
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

        OnGpu(NcclCommunicator communicator, boolean network) {
            super(communicator.rank(), communicator.size(), network);
            this.communicator = communicator;
            this.stream = communicator.device().newStream();
            this.nccl = NcclDevice.of(communicator, requirements());
            this.compiler = network
                    ? KernelCompiler.of(communicator.device(), NcclDevice.withGin(CompileOptions.DEFAULT))
                    : KernelCompiler.of(communicator.device());
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
            return nccl.window(register(array));
        }

        @Override
        GinWindow ginWindow(Buffer array) {
            return nccl.ginWindow(register(array));
        }

        private Window register(Buffer array) {
            Window window = communicator.registerWindow((DeviceArray) array, Window.Flag.SYMMETRIC);
            owned.add(window);
            return window;
        }

        @Override
        NcclPlace another() {
            return withNetwork(communicator);
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
