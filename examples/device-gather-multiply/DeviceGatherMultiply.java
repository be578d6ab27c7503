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
import org.comm4j.device.ShmemBlock;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * y = A x, with the rows of A and the elements of x distributed: each PE needs all of x for its rows. Each sends its
 * part to all others and begins with what it has; the parts of the others are used as they come.
 */
class DeviceGatherMultiply {
    /** @param part elements of x on each PE, and rows of A */
    @Kernel
    static void multiply(F32Ptr y, F32Ptr a, F32Ptr x, int part, I64Ptr arrived, long round) {
        int me = Shmem.myPe();
        int pes = Shmem.nPes();
        long columns = (long) pes * part;
        F32Ptr mine = x.plus((long) me * part);
        // Blocks share the others among them: each part is sent once.
        for (int k = 1 + BlockIdx.x(); k < pes; k += GridDim.x()) {
            ShmemBlock.putSignal(mine, mine, part, arrived.plus(me), round, SignalOp.SET, (me + k) % pes);
        }
        int warps = BlockDim.x() / Warp.SIZE;
        for (int k = 0; k < pes; k++) {
            // The own one first, then in the order in which they are sent.
            int from = (me + pes - k) % pes;
            if (k > 0) {
                if (ThreadIdx.x() == 0) {
                    Shmem.signalWaitUntil(arrived.plus(from), Comparison.GE, round);
                }
                Block.sync();
            }
            for (int row = BlockIdx.x() * warps + ThreadIdx.x() / Warp.SIZE; row < part; row += GridDim.x() * warps) {
                long at = row * columns + (long) from * part;
                float sum = 0;
                for (int i = Warp.laneId(); i < part; i += Warp.SIZE) {
                    sum += a.get(at + i) * x.get((long) from * part + i);
                }
                for (int step = Warp.SIZE / 2; step > 0; step /= 2) {
                    sum += Warp.shuffleXor(sum, step);
                }
                if (Warp.laneId() == 0) {
                    y.set(row, k == 0 ? sum : y.get(row) + sum);
                }
            }
        }
    }

    public static void main(String[] args) {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world);
                CompiledKernel multiply = pe.compiler().compile(DeviceGatherMultiply::multiply)) {
            int part = pe.onGpu() ? 2048 : 48;
            int columns = pe.nPes() * part;
            Buffer a = pe.allocate(DataType.FLOAT32, (long) part * columns);
            Buffer x = pe.allocate(DataType.FLOAT32, columns);
            Buffer y = pe.allocate(DataType.FLOAT32, part);
            Buffer arrived = pe.allocate(DataType.INT64, pe.nPes());
            HostArray rows = HostArray.allocate(DataType.FLOAT32, (long) part * columns);
            for (int i = 0; i < part; i++) {
                for (int j = 0; j < columns; j++) {
                    rows.setFloat((long) i * columns + j, a(pe.myPe() * part + i, j));
                }
            }
            a.copyFrom(rows);
            boolean right = true;
            long best = Long.MAX_VALUE;
            for (int round = 1; round <= 3; round++) {
                HostArray own = HostArray.allocate(DataType.FLOAT32, part);
                for (int j = 0; j < part; j++) {
                    own.setFloat(j, x(pe.myPe() * part + j, round));
                }
                x.slice((long) pe.myPe() * part, part).copyFrom(own);
                pe.barrier();
                long start = System.nanoTime();
                multiply.launch(
                        LaunchConfig.grid(pe.onGpu() ? 64 : 2).block(pe.onGpu() ? 512 : 64),
                        y,
                        a,
                        x,
                        part,
                        arrived,
                        (long) round);
                best = Math.min(best, System.nanoTime() - start);
                HostArray found = y.toHost();
                for (int i = 0; i < part; i++) {
                    // Small whole numbers: exact in any order.
                    long sum = 0;
                    for (int j = 0; j < columns; j++) {
                        sum += (long) a(pe.myPe() * part + i, j) * x(j, round);
                    }
                    right &= found.getFloat(i) == sum;
                }
                pe.barrier();
            }
            System.out.printf(
                    "PE %d of %d (%s): %d rows of %d columns, %s, %.3f ms%n",
                    pe.myPe(), pe.nPes(), pe.where(), part, columns, right ? "as in plain Java" : "WRONG", best / 1e6);
            if (!right) {
                System.exit(1);
            }
        }
    }

    private static int a(int row, int column) {
        return (row * 7 + column * 3) % 5 - 2;
    }

    private static int x(int i, int round) {
        return (i * 11 + round) % 7 - 3;
    }
}
