// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.Coop;
import org.comm4j.device.LsaBarriers;
import org.comm4j.device.LsaWindow;
import org.comm4j.device.NcclDevice;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.Window;

/**
 * An allReduce that is a kernel in Java: the GPUs read each other's windows, and meet at barriers, by themselves.
 * Without GPUs it runs on the CPU.
 */
class NcclDeviceAllReduce {
    private static final int COUNT = 1 << 16;
    private static final int BLOCKS = 8;
    private static final DeviceRequirements NEEDS = DeviceRequirements.NONE.lsaBarriers(BLOCKS);

    @Kernel
    static void allReduce(LsaBarriers barriers, LsaWindow x, LsaWindow sums, int count) {
        // All have written their x.
        barriers.sync(Coop.BLOCK, BlockIdx.x());
        for (int i = GlobalIdx.x(); i < count; i += GridDim.x() * BlockDim.x()) {
            float sum = 0;
            for (int rank = 0; rank < x.size(); rank++) {
                sum += x.pointer(rank).asF32().get(i);
            }
            sums.local().asF32().set(i, sum);
        }
        // All have read it.
        barriers.sync(Coop.BLOCK, BlockIdx.x());
    }

    public static void main(String[] args) {
        try (World world = World.join()) {
            if (Nccl.problem() == null && Cuda.deviceCount() >= world.localSize()) {
                onGpu(world);
            } else {
                onCpu(world);
            }
        }
    }

    private static void onGpu(World world) {
        try (Device gpu = Device.of(world.localRank());
                Stream stream = gpu.newStream();
                NcclCommunicator comm = Nccl.communicator(world, gpu);
                DeviceArray x = comm.allocate(DataType.FLOAT32, COUNT);
                DeviceArray sums = comm.allocate(DataType.FLOAT32, COUNT);
                Window from = comm.registerWindow(x, Window.Flag.SYMMETRIC);
                Window to = comm.registerWindow(sums, Window.Flag.SYMMETRIC);
                NcclDevice nccl = NcclDevice.of(comm, NEEDS);
                KernelCompiler<GpuKernel> compiler = KernelCompiler.of(gpu);
                GpuKernel kernel = compiler.compile(NcclDeviceAllReduce::allReduce)) {
            x.fill(world.rank() + 1);
            LaunchConfig config = LaunchConfig.grid(BLOCKS).block(256);
            kernel.launch(config, stream, nccl.barriers(), nccl.window(from), nccl.window(to), COUNT);
            nccl.synchronize(stream);
            System.out.println(
                    "rank " + world.rank() + " on " + gpu + ": " + sums.toHost().getFloat(COUNT - 1));
        }
    }

    private static void onCpu(World world) {
        try (HostShmem shmem = HostShmem.init(world);
                SymmetricArray x = shmem.allocate(DataType.FLOAT32, COUNT);
                SymmetricArray sums = shmem.allocate(DataType.FLOAT32, COUNT);
                NcclDevice nccl = NcclDevice.of(shmem, NEEDS);
                KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel kernel = compiler.compile(NcclDeviceAllReduce::allReduce)) {
            x.fill(world.rank() + 1);
            LaunchConfig config = LaunchConfig.grid(BLOCKS).block(32);
            kernel.launch(config, nccl.barriers(), nccl.window(x), nccl.window(sums), COUNT);
            nccl.check();
            System.out.println("rank " + world.rank() + " on the CPU: " + sums.getFloat(COUNT - 1));
        }
    }
}
