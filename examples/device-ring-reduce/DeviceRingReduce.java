// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
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
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * A sum over all PEs that goes round their ring twice, in pieces, within one kernel: first it grows, then all get it.
 */
class DeviceRingReduce {
    private static final int PIECES = 8;

    /**
     * Each block has its part of the elements, and its own signals: how many pieces have come in the first round, and
     * in the second.
     */
    @Kernel
    static void ringReduce(F32Ptr sums, F32Ptr values, int piece, I64Ptr grown, I64Ptr done) {
        int me = Shmem.myPe();
        int last = Shmem.nPes() - 1;
        int next = me == last ? 0 : me + 1;
        long part = (long) BlockIdx.x() * PIECES * piece;
        for (int p = 0; p < PIECES; p++) {
            long at = part + (long) p * piece;
            if (me > 0) {
                await(grown, p + 1);
            }
            for (int i = ThreadIdx.x(); i < piece; i += BlockDim.x()) {
                sums.set(at + i, me > 0 ? sums.get(at + i) + values.get(at + i) : values.get(at + i));
            }
            send(sums.plus(at), piece, me == last ? done : grown, p, next);
        }
        if (me != last) {
            for (int p = 0; p < PIECES; p++) {
                await(done, p + 1);
                if (next != last) {
                    send(sums.plus(part + (long) p * piece), piece, done, p, next);
                }
            }
        }
    }

    private static void send(F32Ptr piece, int count, I64Ptr signals, int number, int pe) {
        // What other threads of the block have written is there.
        Block.sync();
        ShmemBlock.putSignal(piece, piece, count, signals.plus(BlockIdx.x()), number + 1, SignalOp.SET, pe);
        // The next piece's signal must not come before this one's data.
        Shmem.fence();
    }

    private static void await(I64Ptr signals, int pieces) {
        if (ThreadIdx.x() == 0) {
            Shmem.signalWaitUntil(signals.plus(BlockIdx.x()), Comparison.GE, pieces);
        }
        Block.sync();
    }

    public static void main(String[] args) {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world);
                CompiledKernel reduce = pe.compiler().compile(DeviceRingReduce::ringReduce)) {
            int blocks = pe.onGpu() ? 16 : 2;
            int piece = pe.onGpu() ? 8192 : 128;
            long count = (long) blocks * PIECES * piece;
            Buffer values = pe.allocate(DataType.FLOAT32, count);
            Buffer sums = pe.allocate(DataType.FLOAT32, count);
            Buffer grown = pe.allocate(DataType.INT64, blocks);
            Buffer done = pe.allocate(DataType.INT64, blocks);
            values.fill(pe.myPe() + 1);
            pe.barrier();
            reduce.launch(LaunchConfig.grid(blocks).block(pe.onGpu() ? 256 : 32), sums, values, piece, grown, done);
            float expected = pe.nPes() * (pe.nPes() + 1) / 2f;
            boolean right = true;
            for (float sum : sums.toHost().toFloatArray()) {
                right &= sum == expected;
            }
            System.out.println("PE " + pe.myPe() + " of " + pe.nPes() + " (" + pe.where() + "): " + count
                    + " sums, all of them " + (right ? "" : "NOT ") + expected);
            pe.barrier();
            if (!right) {
                System.exit(1);
            }
        }
    }
}
