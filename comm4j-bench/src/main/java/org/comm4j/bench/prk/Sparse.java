// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * result += A v, where A has the pattern of a star on a periodic grid whose points are numbered with their bits
 * reversed. Each PE has some rows of A and as many elements of v, and all collect v in each pass.
 *
 * @param logGrid the binary logarithm of the grid's side; A has its square of rows
 */
public record Sparse(int iterations, int logGrid, int radius) implements ResearchKernel {
    private static final double EPSILON = 1e-8;

    public Sparse {
        Checks.atLeast("sparse", "the number of iterations", iterations, 1);
        Checks.atLeast("sparse", "the radius", radius, 0);
        if (logGrid < 0 || logGrid > 15) {
            throw new IllegalArgumentException(
                    "sparse: the binary logarithm of the grid's side is " + logGrid + ", but must be 0 to 15");
        }
        if (1 << logGrid < 2L * radius + 1) {
            throw new IllegalArgumentException("sparse: a grid of side " + (1 << logGrid)
                    + " is smaller than a stencil of radius " + radius + "; use a larger grid or a smaller radius");
        }
    }

    @Override
    public String name() {
        return "sparse";
    }

    @Override
    public String title() {
        return "sparse matrix-vector multiplication";
    }

    private int points() {
        return 4 * radius + 1;
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Matrix order", 1L << 2 * logGrid);
        all.put("Stencil diameter", 2 * radius + 1);
        all.put("Sparsity", (double) points() / (1L << 2 * logGrid));
        all.put("Number of iterations", iterations);
        all.put("Indexing", "scrambled");
        all.put("Matrix storage format", "Compressed Sparse Row");
        return all;
    }

    @Override
    public void check(int pes) {
        if (1 << logGrid < pes) {
            throw new IllegalArgumentException("sparse: a grid of side " + (1 << logGrid) + " has no line for each of "
                    + pes + " PEs; use a larger grid or fewer PEs");
        }
        double rows = (double) new Parts(1 << logGrid, pes).largest() * (1 << logGrid);
        Checks.fits("sparse", "the matrix", rows * points(), "use a smaller grid or radius, or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return Rate.ofPass("MFlops/s", 2.0 * (1L << 2 * logGrid) * points(), seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        private final Sparse kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int points;
        private final int rows;
        private final int firstRow;
        private final boolean even;
        private final int[] columns;
        private final double[] matrix;
        private final double[] own;
        private final double[] result;
        private final SymmetricArray part;
        private final SymmetricArray collected;
        /** The same where loops with indices from memory are fastest. */
        private final double[] vector;

        Run(Sparse kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.points = kernel.points();
            int side = 1 << kernel.logGrid;
            Parts lines = new Parts(side, shmem.nPes());
            int firstLine = (int) lines.first(shmem.myPe());
            this.rows = (int) lines.size(shmem.myPe()) * side;
            this.firstRow = firstLine * side;
            this.even = side % shmem.nPes() == 0;
            this.columns = new int[rows * points];
            this.matrix = new double[rows * points];
            this.own = new double[rows];
            this.result = new double[rows];
            this.part = shmem.allocate(DataType.FLOAT64, lines.largest() * side);
            this.collected = shmem.allocate(DataType.FLOAT64, (long) side * side);
            this.vector = new double[side * side];
            for (int row = 0; row < rows; row++) {
                int x = row % side;
                int y = firstLine + row / side;
                int at = row * points;
                columns[at++] = column(x, y);
                for (int r = 1; r <= kernel.radius; r++) {
                    columns[at++] = column((x + r) % side, y);
                    columns[at++] = column((x - r + side) % side, y);
                    columns[at++] = column(x, (y + r) % side);
                    columns[at++] = column(x, (y - r + side) % side);
                }
                Arrays.sort(columns, row * points, at);
                for (int i = row * points; i < at; i++) {
                    matrix[i] = 1.0 / (columns[i] + 1);
                }
            }
        }

        private int column(int x, int y) {
            int bits = 2 * kernel.logGrid;
            return bits == 0 ? 0 : Integer.reverse(x + (y << kernel.logGrid)) >>> Integer.SIZE - bits;
        }

        @Override
        public void pass(int number) {
            for (int i = 0; i < rows; i++) {
                own[i] += firstRow + i + 1;
            }
            MemorySegment.copy(own, 0, part.segment(), ValueLayout.JAVA_DOUBLE, 0, rows);
            if (even) {
                shmem.world().fcollect(collected, part);
            } else {
                long ignored = shmem.world().collect(collected, part, rows);
            }
            MemorySegment.copy(collected.segment(), ValueLayout.JAVA_DOUBLE, 0, vector, 0, vector.length);
            multiply(vector, columns, matrix, result, points);
        }

        private static void multiply(double[] vector, int[] columns, double[] matrix, double[] result, int points) {
            for (int row = 0; row < result.length; row++) {
                double sum = 0;
                int end = (row + 1) * points;
                for (int i = row * points; i < end; i++) {
                    sum += matrix[i] * vector[columns[i]];
                }
                result[row] += sum;
            }
        }

        @Override
        public @Nullable String error() {
            // Each element of the matrix times that of the vector is the number of the pass.
            double expected = 0.5 * points * (kernel.iterations + 1.0) * (kernel.iterations + 2.0);
            double error = 0;
            for (double value : result) {
                error = Math.max(error, Math.abs(value - expected));
            }
            error = totals.max(error) / expected;
            return error <= EPSILON ? null : "an element's relative error " + error + " exceeds threshold " + EPSILON;
        }

        @Override
        public void close() {
            part.close();
            collected.close();
        }
    }
}
