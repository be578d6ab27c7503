// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * C += A B, each PE having a block of all three. It gets panels, some columns of A from the PEs of its row and as many
 * rows of B from those of its column, and multiplies them.
 *
 * @param block columns of a panel; 0: as many as a PE has
 */
public record Dgemm(int iterations, int order, int block) implements ResearchKernel {
    private static final double EPSILON = 1e-8;

    public Dgemm {
        Checks.atLeast("dgemm", "the number of iterations", iterations, 1);
        Checks.atLeast("dgemm", "the matrix order", order, 2);
        Checks.atLeast("dgemm", "the block size", block, 0);
    }

    @Override
    public String name() {
        return "dgemm";
    }

    @Override
    public String title() {
        return "Dense matrix-matrix multiplication: C = A x B";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        int side = Parts.side(pes);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Rank grid", side + " rows x " + pes / side + " columns");
        all.put("Matrix order", order);
        all.put("Outer block size", block == 0 ? "none" : block);
        all.put("Number of iterations", iterations);
        return all;
    }

    @Override
    public void check(int pes) {
        if (order < pes) {
            throw new IllegalArgumentException("dgemm: a matrix of order " + order + " is too small for " + pes
                    + " PEs; use a larger order or fewer PEs");
        }
        int side = Parts.side(pes);
        Checks.fits(
                "dgemm",
                "a block",
                (double) new Parts(order, side).largest() * new Parts(order, pes / side).largest(),
                "use a smaller order or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return Rate.ofPass("MFlops/s", 2.0 * order * order * order, seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        /** Rows that are multiplied at a time: their part of a panel stays in the first or second level cache. */
        private static final int ROWS = 128;

        private final Dgemm kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int rows;
        private final int columns;
        private final long firstColumn;
        private final SymmetricArray a;
        private final SymmetricArray b;
        /** Column by column. */
        private final double[] c;

        private final List<Panel> panels = new ArrayList<>();
        private final HostArray panelOfA;
        private final HostArray panelOfB;
        private final double[] someOfA;
        private final double[] allOfB;
        private final double[] sums0 = new double[ROWS];
        private final double[] sums1 = new double[ROWS];
        private final double[] zeros = new double[ROWS];

        /**
         * @param width columns of A and rows of B
         * @param a on the PE that has the columns
         * @param b likewise; the panel's first row
         * @param pitch from one column of {@code b} to the next
         */
        private record Panel(int width, int peOfA, SymmetricArray a, int peOfB, SymmetricArray b, long pitch) {}

        Run(Dgemm kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            int high = Parts.side(shmem.nPes());
            int wide = shmem.nPes() / high;
            int x = shmem.myPe() % wide;
            int y = shmem.myPe() / wide;
            Parts ofRows = new Parts(kernel.order, high);
            Parts ofColumns = new Parts(kernel.order, wide);
            this.rows = (int) ofRows.size(y);
            this.columns = (int) ofColumns.size(x);
            this.firstColumn = ofColumns.first(x);
            long largest = ofRows.largest() * ofColumns.largest();
            this.a = shmem.allocate(DataType.FLOAT64, largest);
            this.b = shmem.allocate(DataType.FLOAT64, largest);
            this.c = new double[rows * columns];
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < rows; i++) {
                    a.setDouble((long) rows * j + i, (double) firstColumn + j);
                    b.setDouble((long) rows * j + i, (double) firstColumn + j);
                }
            }
            int block = kernel.block == 0 ? kernel.order : Math.min(kernel.block, kernel.order);
            this.panelOfA = HostArray.allocate(DataType.FLOAT64, (long) rows * block);
            this.panelOfB = HostArray.allocate(DataType.FLOAT64, (long) columns * block);
            this.someOfA = new double[ROWS * block];
            this.allOfB = new double[columns * block];
            // A panel is all of one PE's columns of A, and all of one PE's rows of B.
            for (int k = 0; k < kernel.order; ) {
                int ownerX = ofColumns.owner(k);
                int ownerY = ofRows.owner(k);
                int width =
                        (int) Math.min(Math.min(block, ofColumns.first(ownerX + 1) - k), ofRows.first(ownerY + 1) - k);
                long pitch = ofRows.size(ownerY);
                long fromA = (k - ofColumns.first(ownerX)) * rows;
                long fromB = k - ofRows.first(ownerY);
                panels.add(new Panel(
                        width,
                        y * wide + ownerX,
                        a.slice(fromA, (long) rows * width),
                        ownerY * wide + x,
                        b.slice(fromB, largest - fromB),
                        pitch));
                k += width;
            }
            shmem.barrierAll();
        }

        @Override
        public void pass(int number) {
            for (int i = 0; i < panels.size(); i++) {
                Panel panel = panels.get(i);
                int width = panel.width;
                shmem.get(panelOfA, panel.a, (long) rows * width, panel.peOfA);
                shmem.ibget(panelOfB, panel.b, width, panel.pitch, width, columns, panel.peOfB);
                MemorySegment.copy(panelOfB.segment(), ValueLayout.JAVA_DOUBLE, 0, allOfB, 0, columns * width);
                for (int row = 0; row < rows; row += ROWS) {
                    int count = Math.min(ROWS, rows - row);
                    for (int k = 0; k < width; k++) {
                        MemorySegment.copy(
                                panelOfA.segment(),
                                ValueLayout.JAVA_DOUBLE,
                                ((long) rows * k + row) * Double.BYTES,
                                someOfA,
                                ROWS * k,
                                count);
                    }
                    multiply(row, count, width);
                }
            }
        }

        /** Some rows of A's panel with all columns of B's, two columns at a time. */
        private void multiply(int row, int count, int width) {
            int j = 0;
            for (; j + 1 < columns; j += 2) {
                System.arraycopy(zeros, 0, sums0, 0, ROWS);
                System.arraycopy(zeros, 0, sums1, 0, ROWS);
                int b0 = width * j;
                int b1 = b0 + width;
                int k = 0;
                for (; k + 3 < width; k += 4) {
                    addFour(sums0, sums1, someOfA, ROWS * k, allOfB, b0 + k, b1 + k);
                }
                for (; k < width; k++) {
                    addOne(sums0, someOfA, ROWS * k, allOfB[b0 + k]);
                    addOne(sums1, someOfA, ROWS * k, allOfB[b1 + k]);
                }
                addTo(c, rows * j + row, sums0, count);
                addTo(c, rows * (j + 1) + row, sums1, count);
            }
            if (j < columns) {
                System.arraycopy(zeros, 0, sums0, 0, ROWS);
                for (int k = 0; k < width; k++) {
                    addOne(sums0, someOfA, ROWS * k, allOfB[width * j + k]);
                }
                addTo(c, rows * j + row, sums0, count);
            }
        }

        /** Always all rows, of which some may be left from elsewhere: loops of one length are compiled best. */
        private static void addFour(double[] sums0, double[] sums1, double[] a, int at, double[] b, int b0, int b1) {
            double x0 = b[b0];
            double x1 = b[b0 + 1];
            double x2 = b[b0 + 2];
            double x3 = b[b0 + 3];
            double y0 = b[b1];
            double y1 = b[b1 + 1];
            double y2 = b[b1 + 2];
            double y3 = b[b1 + 3];
            for (int i = 0; i < ROWS; i++) {
                double a0 = a[at + i];
                double a1 = a[at + ROWS + i];
                double a2 = a[at + 2 * ROWS + i];
                double a3 = a[at + 3 * ROWS + i];
                sums0[i] += (a0 * x0 + a1 * x1) + (a2 * x2 + a3 * x3);
                sums1[i] += (a0 * y0 + a1 * y1) + (a2 * y2 + a3 * y3);
            }
        }

        private static void addOne(double[] sums, double[] a, int at, double x) {
            for (int i = 0; i < ROWS; i++) {
                sums[i] += a[at + i] * x;
            }
        }

        private static void addTo(double[] c, int at, double[] sums, int count) {
            for (int i = 0; i < count; i++) {
                c[at + i] += sums[i];
            }
        }

        @Override
        public @Nullable String error() {
            // Row i of C is the same for all i: the sum of k (column) over k.
            double ofColumn = (kernel.iterations + 1.0) * kernel.order * (kernel.order - 1.0) / 2;
            double error = 0;
            for (int j = 0; j < columns; j++) {
                double expected = ofColumn * (firstColumn + j);
                for (int i = 0; i < rows; i++) {
                    error = Math.max(error, Math.abs(c[rows * j + i] - expected) / Math.max(1, expected));
                }
            }
            error = totals.max(error);
            return error <= EPSILON ? null : "an element's relative error " + error + " exceeds threshold " + EPSILON;
        }

        @Override
        public void close() {
            a.close();
            b.close();
        }
    }
}
