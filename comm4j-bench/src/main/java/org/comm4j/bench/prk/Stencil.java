// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.bench.DevicePe;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * out += S(in), then in += 1, where S is a star of {@code 4 radius + 1} points; each PE has a tile of the {@code n} ×
 * {@code n} grid.
 */
public record Stencil(int iterations, int n, int radius) implements OnGpus {
    static final String NAME = "stencil";
    private static final double EPSILON = 1e-8;

    public Stencil {
        Checks.atLeast("stencil", "the number of iterations", iterations, 1);
        Checks.atLeast("stencil", "the radius", radius, 1);
        if (n < 2L * radius + 1) {
            throw new IllegalArgumentException("stencil: a grid of " + n + " x " + n + " has no point with " + radius
                    + " neighbours on each side; use a larger grid or a smaller radius");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "stencil execution on 2D grid";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        int side = Parts.side(pes);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Grid size", n);
        all.put("Radius of stencil", radius);
        all.put("Tiles in x/y-direction", side + "/" + pes / side);
        all.put("Type of stencil", "star");
        all.put("Data type", "double precision");
        all.put("Number of iterations", iterations);
        return all;
    }

    @Override
    public void check(int pes) {
        int high = pes / Parts.side(pes);
        if (n / high < radius) {
            throw new IllegalArgumentException("stencil: " + pes + " PEs, " + high + " of them in y-direction, have "
                    + n / high + " rows each, fewer than the radius " + radius + "; use a larger grid or fewer PEs");
        }
        double width = new Parts(n, Parts.side(pes)).largest() + 2.0 * radius;
        double height = new Parts(n, high).largest() + 2.0 * radius;
        Checks.fits("stencil", "a tile", width * height, "use a smaller grid or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        double active = (double) (n - 2 * radius) * (n - 2 * radius);
        return Rate.ofPass("MFlops/s", (2.0 * (4 * radius + 1) + 1) * active, seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    @Override
    public long symmetricBytes(int pes) {
        return StencilOnGpu.bytes(this, pes);
    }

    @Override
    public OnGpus.Run prepare(DevicePe pe) {
        return new StencilOnGpu(this, pe);
    }

    /** @param norm the sum of what the results are without their signs */
    @Nullable
    String error(double norm) {
        double active = n - 2.0 * radius;
        double mean = norm / active / active;
        double expected = 2 * (iterations + 1.0);
        return Math.abs(mean - expected) <= EPSILON ? null : "L1 norm = " + mean + ", reference L1 norm = " + expected;
    }

    private static final class Run implements Trial {
        private final Stencil kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int radius;
        private final int firstX;
        private final int firstY;
        private final int width;
        private final int height;
        /** Rows with the halo's points before and behind them, of {@code in} also those of the halo below and above. */
        private final double[][] in;

        private final double[][] out;

        /**
         * The row at work, moved by 1, 2, 3, … points to the right and to the left, so that all its neighbours are at
         * one index: only then the loop becomes vector code.
         */
        private final double[][] right;

        private final double[][] left;

        private final Halo[] halos;
        private final int neighbours;
        /** Halos that have come, by the pass's parity. */
        private final SymmetricArray come;

        private final SymmetricArray memory;

        /** One side of the tile, with the neighbour there. */
        private final class Halo {
            final boolean isColumns;
            /** Where the points to send, and those that come, begin in {@link Run#in}: the row, and the place in it. */
            final int innerRow;

            final int innerColumn;
            final int outerRow;
            final int outerColumn;
            final int rows;
            final int columns;
            final HostArray sent;
            /** Where the neighbour takes what it is sent from here, and where this PE takes what comes, by parity. */
            final SymmetricArray[] theirs = new SymmetricArray[2];

            final SymmetricArray[] mine = new SymmetricArray[2];
            final int neighbour;

            /**
             * @param side 0 left, 1 right, 2 below, 3 above
             * @param room of a halo in symmetric memory
             */
            Halo(int side, int neighbour, long room) {
                this.neighbour = neighbour;
                this.isColumns = side < 2;
                this.rows = isColumns ? height : radius;
                this.columns = isColumns ? radius : width;
                this.innerRow = side == 3 ? height : radius;
                this.innerColumn = side == 1 ? width : radius;
                this.outerRow = side == 2 ? 0 : side == 3 ? radius + height : radius;
                this.outerColumn = side == 0 ? 0 : side == 1 ? radius + width : radius;
                this.sent = HostArray.allocate(DataType.FLOAT64, (long) rows * columns);
                for (int parity = 0; parity < 2; parity++) {
                    mine[parity] = memory.slice((2 * side + parity) * room, room);
                    theirs[parity] = memory.slice((2 * (side ^ 1) + parity) * room, room);
                }
            }

            void send(int parity) {
                MemorySegment to = sent.segment();
                if (isColumns) {
                    int at = 0;
                    for (int row = 0; row < rows; row++) {
                        for (int i = 0; i < columns; i++) {
                            to.setAtIndex(ValueLayout.JAVA_DOUBLE, at++, in[innerRow + row][innerColumn + i]);
                        }
                    }
                } else {
                    for (int row = 0; row < rows; row++) {
                        long at = (long) row * columns * Double.BYTES;
                        MemorySegment.copy(in[innerRow + row], innerColumn, to, ValueLayout.JAVA_DOUBLE, at, columns);
                    }
                }
                shmem.put(theirs[parity], sent, neighbour);
                shmem.fence();
                shmem.atomicInc(come, parity, neighbour);
            }

            void take(int parity) {
                MemorySegment from = mine[parity].segment();
                if (isColumns) {
                    int at = 0;
                    for (int row = 0; row < rows; row++) {
                        for (int i = 0; i < columns; i++) {
                            in[outerRow + row][outerColumn + i] = from.getAtIndex(ValueLayout.JAVA_DOUBLE, at++);
                        }
                    }
                } else {
                    for (int row = 0; row < rows; row++) {
                        long at = (long) row * columns * Double.BYTES;
                        MemorySegment.copy(from, ValueLayout.JAVA_DOUBLE, at, in[outerRow + row], outerColumn, columns);
                    }
                }
            }
        }

        Run(Stencil kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.radius = kernel.radius;
            int wide = Parts.side(shmem.nPes());
            int high = shmem.nPes() / wide;
            int x = shmem.myPe() % wide;
            int y = shmem.myPe() / wide;
            Parts columns = new Parts(kernel.n, wide);
            Parts rows = new Parts(kernel.n, high);
            this.firstX = (int) columns.first(x);
            this.firstY = (int) rows.first(y);
            this.width = (int) columns.size(x);
            this.height = (int) rows.size(y);
            int points = width + 2 * radius;
            this.in = new double[height + 2 * radius][points];
            this.out = new double[height + 2 * radius][points];
            this.right = new double[radius][points];
            this.left = new double[radius][points];
            for (int row = 0; row < height; row++) {
                for (int i = 0; i < width; i++) {
                    in[row + radius][radius + i] = (double) firstX + i + firstY + row;
                }
            }
            long room = radius * Math.max(columns.largest(), rows.largest());
            this.come = shmem.allocate(DataType.INT64, 2);
            this.memory = shmem.allocate(DataType.FLOAT64, 8 * room);
            int[] pes = {
                x > 0 ? shmem.myPe() - 1 : -1,
                x < wide - 1 ? shmem.myPe() + 1 : -1,
                y > 0 ? shmem.myPe() - wide : -1,
                y < high - 1 ? shmem.myPe() + wide : -1
            };
            int count = 0;
            for (int pe : pes) {
                count += pe < 0 ? 0 : 1;
            }
            this.neighbours = count;
            this.halos = new Halo[count];
            int at = 0;
            for (int side = 0; side < pes.length; side++) {
                if (pes[side] >= 0) {
                    halos[at++] = new Halo(side, pes[side], room);
                }
            }
        }

        @Override
        public void pass(int number) {
            int parity = number % 2;
            for (Halo halo : halos) {
                halo.send(parity);
            }
            // Whoever has sent this pass's halo has taken the one of the pass before, so that two of each are enough.
            long ignored = shmem.waitUntil(come, parity, Comparison.GE, neighbours * (number / 2 + 1L));
            for (Halo halo : halos) {
                halo.take(parity);
            }
            int from = Math.max(firstX, radius) - firstX + radius;
            int to = Math.min(firstX + width, kernel.n - radius) - firstX + radius;
            int firstRow = Math.max(firstY, radius) - firstY + radius;
            int endRow = Math.min(firstY + height, kernel.n - radius) - firstY + radius;
            for (int row = firstRow; row < endRow; row++) {
                star(row, from, to);
            }
            for (int row = radius; row < radius + height; row++) {
                increase(in[row], radius, radius + width);
            }
        }

        private void star(int row, int from, int to) {
            double[] sum = out[row];
            int k = 1;
            for (; k < radius; k += 2) {
                move(in[row], k);
                move(in[row], k + 1);
                addTwo(
                        sum,
                        in[row + k],
                        in[row - k],
                        left[k - 1],
                        right[k - 1],
                        weight(k),
                        in[row + k + 1],
                        in[row - k - 1],
                        left[k],
                        right[k],
                        weight(k + 1),
                        from,
                        to);
            }
            if (k == radius) {
                move(in[row], k);
                addOne(sum, in[row + k], in[row - k], left[k - 1], right[k - 1], weight(k), from, to);
            }
        }

        private void move(double[] row, int k) {
            System.arraycopy(row, k, left[k - 1], 0, row.length - k);
            System.arraycopy(row, 0, right[k - 1], k, row.length - k);
        }

        private double weight(int k) {
            return 1.0 / (2.0 * k * radius);
        }

        /** Adds the points at two distances. */
        private static void addTwo(
                double[] sum,
                double[] above1,
                double[] below1,
                double[] after1,
                double[] before1,
                double weight1,
                double[] above2,
                double[] below2,
                double[] after2,
                double[] before2,
                double weight2,
                int from,
                int to) {
            for (int i = from; i < to; i++) {
                sum[i] += weight1 * (above1[i] - below1[i] + after1[i] - before1[i])
                        + weight2 * (above2[i] - below2[i] + after2[i] - before2[i]);
            }
        }

        private static void addOne(
                double[] sum,
                double[] above,
                double[] below,
                double[] after,
                double[] before,
                double weight,
                int from,
                int to) {
            for (int i = from; i < to; i++) {
                sum[i] += weight * (above[i] - below[i] + after[i] - before[i]);
            }
        }

        private static void increase(double[] row, int from, int to) {
            for (int i = from; i < to; i++) {
                row[i] += 1;
            }
        }

        @Override
        public @Nullable String error() {
            double norm = 0;
            for (double[] row : out) {
                for (double value : row) {
                    norm += Math.abs(value);
                }
            }
            return kernel.error(totals.sum(norm));
        }

        @Override
        public void close() {
            come.close();
            memory.close();
        }
    }
}
