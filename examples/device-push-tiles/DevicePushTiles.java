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
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * C = A B, split along the inner dimension: each PE has some columns of A and the rows of B that go with them, so that
 * it can compute a part of every tile of C. It pushes each tile to the PE that owns it as soon as it is computed, from
 * within the kernel, and sums the tiles that it owns as they come.
 */
class DevicePushTiles {
    private static final int TILE = 16;
    private static final int ELEMENTS = TILE * TILE;

    /**
     * @param n rows and columns of C
     * @param depth columns of A and rows of B that this PE has
     * @param parts where tiles arrive: of each tile that this PE owns, one from each PE
     * @param arrived of each tile that this PE owns, how many have come
     * @param c the tiles that this PE owns
     */
    @Kernel
    static void multiply(int n, int depth, F32Ptr a, F32Ptr b, F32Ptr own, F32Ptr parts, I64Ptr arrived, F32Ptr c) {
        int me = Shmem.myPe();
        int pes = Shmem.nPes();
        int across = n / TILE;
        int thread = ThreadIdx.y() * TILE + ThreadIdx.x();
        F32Ptr tile = own.plus((long) BlockIdx.x() * ELEMENTS);
        for (int number = BlockIdx.x(); number < across * across; number += GridDim.x()) {
            tile.set(thread, product(n, depth, a, b, number / across, number % across));
            // Tiles are dealt out to the PEs.
            int owner = number % pes;
            int slot = number / pes;
            Block.sync();
            ShmemBlock.putSignal(
                    parts.plus(((long) slot * pes + me) * ELEMENTS),
                    tile,
                    ELEMENTS,
                    arrived.plus(slot),
                    1,
                    SignalOp.ADD,
                    owner);
            Block.sync();
        }
        int owned = (across * across - me + pes - 1) / pes;
        for (int slot = BlockIdx.x(); slot < owned; slot += GridDim.x()) {
            if (thread == 0) {
                Shmem.signalWaitUntil(arrived.plus(slot), Comparison.EQ, pes);
            }
            Block.sync();
            float sum = 0;
            for (int pe = 0; pe < pes; pe++) {
                sum += parts.get(((long) slot * pes + pe) * ELEMENTS + thread);
            }
            c.set((long) slot * ELEMENTS + thread, sum);
        }
    }

    /** This thread's element of a tile, of what this PE has. */
    private static float product(int n, int depth, F32Ptr a, F32Ptr b, int row, int column) {
        F32Ptr left = F32Ptr.of(Shared.f32(ELEMENTS));
        F32Ptr right = F32Ptr.of(Shared.f32(ELEMENTS));
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        float sum = 0;
        for (int k = 0; k < depth; k += TILE) {
            left.set(y * TILE + x, a.get((long) (row * TILE + y) * depth + k + x));
            right.set(y * TILE + x, b.get((long) (k + y) * n + (long) column * TILE + x));
            Block.sync();
            for (int i = 0; i < TILE; i++) {
                sum += left.get(y * TILE + i) * right.get(i * TILE + x);
            }
            Block.sync();
        }
        return sum;
    }

    public static void main(String[] args) {
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world);
                CompiledKernel multiply = pe.compiler().compile(DevicePushTiles::multiply)) {
            int n = pe.onGpu() ? 2048 : 64;
            int depth = pe.onGpu() ? 512 : 32;
            // Blocks wait for what others send, so all run at the same time.
            int blocks = multiply.residentBlocks(ELEMENTS, 0);
            int tiles = (n / TILE) * (n / TILE);
            int most = (tiles + pe.nPes() - 1) / pe.nPes();
            Buffer a = pe.allocate(DataType.FLOAT32, (long) n * depth);
            Buffer b = pe.allocate(DataType.FLOAT32, (long) depth * n);
            Buffer own = pe.allocate(DataType.FLOAT32, (long) blocks * ELEMENTS);
            Buffer parts = pe.allocate(DataType.FLOAT32, (long) most * pe.nPes() * ELEMENTS);
            Buffer arrived = pe.allocate(DataType.INT64, most);
            Buffer c = pe.allocate(DataType.FLOAT32, (long) most * ELEMENTS);
            HostArray columns = HostArray.allocate(DataType.FLOAT32, (long) n * depth);
            HostArray rows = HostArray.allocate(DataType.FLOAT32, (long) depth * n);
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < depth; k++) {
                    columns.setFloat((long) i * depth + k, a(i, pe.myPe() * depth + k));
                    rows.setFloat((long) k * n + i, b(pe.myPe() * depth + k, i));
                }
            }
            a.copyFrom(columns);
            b.copyFrom(rows);
            pe.barrier();
            long start = System.nanoTime();
            multiply.launch(LaunchConfig.grid(blocks).block(TILE, TILE), n, depth, a, b, own, parts, arrived, c);
            long nanos = System.nanoTime() - start;
            boolean right = isRight(c.toHost(), n, depth * pe.nPes(), pe.myPe(), pe.nPes());
            System.out.printf(
                    "PE %d of %d (%s): %d x %d, %d of %d tiles here, %s, %.3f ms%n",
                    pe.myPe(),
                    pe.nPes(),
                    pe.where(),
                    n,
                    n,
                    (tiles - pe.myPe() + pe.nPes() - 1) / pe.nPes(),
                    tiles,
                    right ? "as in plain Java" : "WRONG",
                    nanos / 1e6);
            pe.barrier();
            if (!right) {
                System.exit(1);
            }
        }
    }

    /** Small whole numbers, exact in any order; of large matrices, a few rows of each tile. */
    private static boolean isRight(HostArray c, int n, int depth, int me, int pes) {
        int across = n / TILE;
        int step = n > 500 ? 7 : 1;
        for (int number = me; number < across * across; number += pes) {
            for (int element = number % step; element < ELEMENTS; element += step * step) {
                int row = number / across * TILE + element / TILE;
                int column = number % across * TILE + element % TILE;
                long sum = 0;
                for (int k = 0; k < depth; k++) {
                    sum += (long) a(row, k) * b(k, column);
                }
                if (c.getFloat((long) (number / pes) * ELEMENTS + element) != sum) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int a(int row, int k) {
        return (row * 5 + k * 3) % 7 - 3;
    }

    private static int b(int k, int column) {
        return (k * 2 + column * 11) % 5 - 2;
    }
}
