// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.core.World;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.Shmem;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Two ways to sum over all PEs in one kernel, with loads and stores through pointers to the others' memory. One shot:
 * each PE reads all of all others. Two shots: each PE sums its share and writes it to all.
 */
class DeviceAllReduce {
    private static final int ROUNDS = 5;

    @Kernel
    static void oneShot(F32Ptr sums, F32Ptr values, int count, I64Ptr flags, long epoch) {
        meet(flags, 2 * epoch);
        for (int i = GlobalIdx.x(); i < count; i += GridDim.x() * BlockDim.x()) {
            float sum = 0;
            for (int pe = 0; pe < Shmem.nPes(); pe++) {
                sum += Shmem.ptr(values, pe).get(i);
            }
            sums.set(i, sum);
        }
        // Nobody changes its values before all have read them.
        meet(flags, 2 * epoch + 1);
    }

    @Kernel
    static void twoShots(F32Ptr sums, F32Ptr values, int count, I64Ptr flags, long epoch) {
        int pes = Shmem.nPes();
        int begin = (int) ((long) count * Shmem.myPe() / pes);
        int end = (int) ((long) count * (Shmem.myPe() + 1) / pes);
        meet(flags, 2 * epoch);
        for (int i = begin + GlobalIdx.x(); i < end; i += GridDim.x() * BlockDim.x()) {
            float sum = 0;
            for (int pe = 0; pe < pes; pe++) {
                sum += Shmem.ptr(values, pe).get(i);
            }
            for (int pe = 0; pe < pes; pe++) {
                Shmem.ptr(sums, pe).set(i, sum);
            }
        }
        // All shares have arrived.
        meet(flags, 2 * epoch + 1);
    }

    /**
     * The blocks of this number of all PEs wait for each other: each tells all others the number of the meeting, which
     * only grows.
     */
    private static void meet(I64Ptr flags, long number) {
        int pes = Shmem.nPes();
        I64Ptr mine = flags.plus((long) BlockIdx.x() * pes);
        Block.sync();
        if (ThreadIdx.x() < pes) {
            // What this block has written is there before the flag is.
            Shmem.quiet();
            Shmem.signal(mine.plus(Shmem.myPe()), number, SignalOp.SET, ThreadIdx.x());
            Shmem.signalWaitUntil(mine.plus(ThreadIdx.x()), Comparison.GE, number);
        }
        Block.sync();
    }

    public static void main(String[] args) {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world);
                CompiledKernel oneShot = pe.compiler().compile(DeviceAllReduce::oneShot);
                CompiledKernel twoShots = pe.compiler().compile(DeviceAllReduce::twoShots)) {
            int blocks = pe.onGpu() ? 32 : 2;
            LaunchConfig shape = LaunchConfig.grid(blocks).block(pe.onGpu() ? 512 : 16);
            Buffer flags = pe.allocate(DataType.INT64, (long) blocks * pe.nPes());
            long epoch = 1;
            boolean right = true;
            for (int count = pe.onGpu() ? 1024 : 100; count <= (pe.onGpu() ? 1 << 20 : 1000); count *= 4) {
                Buffer values = pe.allocate(DataType.FLOAT32, count);
                Buffer sums = pe.allocate(DataType.FLOAT32, count);
                StringBuilder said = new StringBuilder();
                for (CompiledKernel kernel : new CompiledKernel[] {oneShot, twoShots}) {
                    long best = Long.MAX_VALUE;
                    for (int round = 0; round < ROUNDS; round++) {
                        HostArray mine = HostArray.allocate(DataType.FLOAT32, count);
                        for (int i = 0; i < count; i++) {
                            mine.setFloat(i, (pe.myPe() + 1) * (i % 100 + round));
                        }
                        values.copyFrom(mine);
                        sums.fill(-1);
                        pe.barrier();
                        long start = System.nanoTime();
                        kernel.launch(shape, sums, values, count, flags, epoch++);
                        best = Math.min(best, System.nanoTime() - start);
                        HostArray found = sums.toHost();
                        int all = pe.nPes() * (pe.nPes() + 1) / 2;
                        for (int i = 0; i < count; i++) {
                            right &= found.getFloat(i) == all * (i % 100 + round);
                        }
                        pe.barrier();
                    }
                    said.append(String.format(", %s %.1f us", kernel.method().getName(), best / 1e3));
                }
                if (pe.myPe() == 0) {
                    System.out.println(pe.where() + ", " + pe.nPes() + " PEs, " + count + " floats: "
                            + (right ? "right" : "WRONG") + said);
                }
            }
            if (!right) {
                System.exit(1);
            }
        }
    }
}
