// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

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
 * Columns become rows, by way of a tile in shared memory, so that neighbouring threads read and write neighbouring
 * elements.
 */
class KernelTranspose {
    private static final int TILE = 32;
    /** Rows of threads; each thread moves four elements. */
    private static final int ROWS = 8;
    /** One more than a row needs: the elements of a column are then in different banks of the shared memory. */
    private static final int PITCH = TILE + 1;

    @Kernel
    static void transpose(int rows, int columns, F32Ptr from, F32Ptr to) {
        float[] tile = Shared.f32(TILE * PITCH);
        int x = ThreadIdx.x();
        int column = BlockIdx.x() * TILE + x;
        for (int y = ThreadIdx.y(); y < TILE; y += ROWS) {
            int row = BlockIdx.y() * TILE + y;
            if (row < rows && column < columns) {
                tile[y * PITCH + x] = from.get(row * columns + column);
            }
        }
        Block.sync();
        int target = BlockIdx.y() * TILE + x;
        for (int y = ThreadIdx.y(); y < TILE; y += ROWS) {
            int row = BlockIdx.x() * TILE + y;
            if (row < columns && target < rows) {
                to.set(row * rows + target, tile[x * PITCH + y]);
            }
        }
    }

    /** The argument is how many rows the matrix has; columns are half as many, and one. */
    public static void main(String[] args) {
        try (Device gpu = Cuda.problem() == null ? Device.of(0) : null;
                KernelCompiler<?> compiler = gpu == null ? KernelCompiler.cpu() : KernelCompiler.of(gpu);
                CompiledKernel transpose = compiler.compile(KernelTranspose::transpose)) {
            int rows = size(args, gpu == null ? 300 : 12_000);
            int columns = rows / 2 + 1;
            int n = rows * columns;
            HostArray values = HostArray.allocate(DataType.FLOAT32, n);
            for (int i = 0; i < n; i++) {
                values.setFloat(i, i % 1_000_003);
            }
            Buffer from = gpu == null ? values : gpu.allocate(DataType.FLOAT32, n);
            Buffer to = gpu == null ? HostArray.allocate(DataType.FLOAT32, n) : gpu.allocate(DataType.FLOAT32, n);
            if (gpu != null) {
                from.copyFrom(values);
            }
            LaunchConfig config = LaunchConfig.grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE)
                    .block(TILE, ROWS);
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long begin = System.nanoTime();
                transpose.launch(config, rows, columns, from, to);
                best = Math.min(best, System.nanoTime() - begin);
            }
            HostArray result = to.toHost();
            boolean right = true;
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    right &= result.getFloat(column * rows + row) == values.getFloat(row * columns + column);
                }
            }
            System.out.printf(
                    "%s: %d x %d, %s, %.3f ms, %.3f GB/s%n",
                    gpu == null ? "CPU" : gpu.name(),
                    rows,
                    columns,
                    right ? "as in plain Java" : "WRONG",
                    best / 1e6,
                    8.0 * n / best);
            if (!right) {
                System.exit(1);
            }
        }
    }

    /** The argument, or {@code otherwise} if there is none. */
    private static int size(String[] args, int otherwise) {
        try {
            int size = args.length == 0 ? otherwise : Integer.parseInt(args[0]);
            if (args.length < 2 && size >= 1 && size <= 30_000) {
                return size;
            }
        } catch (NumberFormatException e) {
            // As a number out of range.
        }
        System.err.println("KernelTranspose: the argument is the rows of the matrix, from 1 to 30000");
        System.exit(2);
        return 0;
    }
}
