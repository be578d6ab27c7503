// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * The product of two matrices, in tiles: a block brings a tile of each into shared memory, where each element is read
 * 16 times.
 */
class KernelMatrixProduct {
    private static final int TILE = 16;

    @Kernel
    static void product(int n, F32Ptr a, F32Ptr b, F32Ptr c) {
        float[] tileA = Shared.f32(TILE * TILE);
        float[] tileB = Shared.f32(TILE * TILE);
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        int row = BlockIdx.y() * TILE + y;
        int column = BlockIdx.x() * TILE + x;
        float sum = 0;
        for (int k = 0; k < n; k += TILE) {
            tileA[y * TILE + x] = row < n && k + x < n ? a.get(row * n + k + x) : 0;
            tileB[y * TILE + x] = k + y < n && column < n ? b.get((k + y) * n + column) : 0;
            Block.sync();
            for (int i = 0; i < TILE; i++) {
                sum = Math.fma(tileA[y * TILE + i], tileB[i * TILE + x], sum);
            }
            Block.sync();
        }
        if (row < n && column < n) {
            c.set(row * n + column, sum);
        }
    }

    /** The argument is how many rows a matrix has. */
    public static void main(String[] args) {
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel product = compiler.compile(KernelMatrixProduct::product)) {
            int n = size(args, gpu == null ? 100 : 3000);
            HostArray a = random(n, 1);
            HostArray b = random(n, 2);
            Buffer thereA = copy(gpu, a);
            Buffer thereB = copy(gpu, b);
            Buffer thereC = copy(gpu, HostArray.allocate(DataType.FLOAT32, (long) n * n));
            int tiles = (n + TILE - 1) / TILE;
            LaunchConfig config = LaunchConfig.grid(tiles, tiles).block(TILE, TILE);
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long begin = System.nanoTime();
                product.launch(config, n, thereA, thereB, thereC);
                best = Math.min(best, System.nanoTime() - begin);
            }
            boolean right = isRight(n, a.toFloatArray(), b.toFloatArray(), thereC.toHost());
            System.out.printf(
                    "%s: %d x %d, %s, %.3f ms, %.3f GFLOP/s%n",
                    gpu == null ? "CPU" : gpu.name(),
                    n,
                    n,
                    right ? "as in plain Java" : "WRONG",
                    best / 1e6,
                    2.0 * n * n * n / best);
            if (!right) {
                System.exit(1);
            }
        }
    }

    /** Whether some rows are those of plain Java, to the bit: the sums have the same order. */
    private static boolean isRight(int n, float[] a, float[] b, HostArray c) {
        for (int row = 0; row < n; row += 37) {
            for (int column = 0; column < n; column++) {
                float sum = 0;
                for (int k = 0; k < n; k++) {
                    sum = Math.fma(a[row * n + k], b[k * n + column], sum);
                }
                if (c.getFloat((long) row * n + column) != sum) {
                    return false;
                }
            }
        }
        return true;
    }

    private static HostArray random(int n, long seed) {
        Random random = new Random(seed);
        float[] values = new float[n * n];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat(-1, 1);
        }
        return HostArray.of(values);
    }

    /** The same in the GPU's memory, if there is one. */
    private static Buffer copy(Device gpu, HostArray array) {
        if (gpu == null) {
            return array;
        }
        Buffer there = gpu.allocate(array.type(), array.count());
        there.copyFrom(array);
        return there;
    }

    /** The argument, or {@code otherwise} if there is none. */
    private static int size(String[] args, int otherwise) {
        try {
            int size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
            if (args.length < 2 && size >= 1 && size <= 20_000) {
                return size;
            }
        } catch (NumberFormatException e) {
            // As a number out of range.
        }
        System.err.println("KernelMatrixProduct: the argument is the rows of a matrix, from 1 to 20000");
        System.exit(2);
        return 0;
    }
}
