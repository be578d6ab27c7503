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
import org.comm4j.core.SignalOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * B += Aᵀ, then A += 1. Each PE has some columns of both; the blocks that belong to others' columns are transposed into
 * a work array and put.
 *
 * @param tile of the local transpose; 0: no tiles
 * @param allToAll blocks are exchanged by one collective operation instead of puts with flags
 */
public record Transpose(int iterations, int order, int tile, boolean allToAll) implements OnGpus {
    static final String NAME = "transpose";

    /**
     * Columns that are walked side by side: their lines stay in the first-level cache even if their distance is a power
     * of two.
     */
    private static final int COLUMNS = 8;

    private static final double EPSILON = 1e-8;

    public Transpose {
        Checks.atLeast("transpose", "the number of iterations", iterations, 1);
        Checks.atLeast("transpose", "the matrix order", order, 1);
        Checks.atLeast("transpose", "the tile size", tile, 0);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "matrix transpose: B = A^T";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Matrix order", order);
        all.put("Number of iterations", iterations);
        all.put("Synchronization", allToAll ? "all-to-all" : "flags");
        all.put("Tile size", tile > 0 && tile < order ? tile : "untiled");
        return all;
    }

    @Override
    public void check(int pes) {
        if (order < pes) {
            throw new IllegalArgumentException("transpose: a matrix of order " + order + " has no column for each of "
                    + pes + " PEs; use a larger order or fewer PEs");
        }
        if (allToAll && order % pes != 0) {
            throw new IllegalArgumentException(
                    "transpose: the blocks of an all-to-all are equal, but a matrix of order "
                            + order + " does not come out even on " + pes + " PEs; use an order that is a multiple of "
                            + pes
                            + ", or flags");
        }
        Checks.fits(
                "transpose",
                "the columns",
                (double) order * new Parts(order, pes).largest(),
                "use a smaller order or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return Rate.ofPass("MB/s", 16.0 * order * order, seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return allToAll ? new TransposeAllToAll(this, shmem, totals) : new Run(this, shmem, totals);
    }

    @Override
    public long symmetricBytes(int pes) {
        return 2 * TransposeOnGpu.bytes(this, pes);
    }

    @Override
    public OnGpus.Run prepare(DevicePe pe) {
        return new TransposeOnGpu(this, pe);
    }

    /** What an element of B is in the end. */
    double expected(long row, long column) {
        double passes = iterations + 1.0;
        return ((double) order * row + column) * passes + 0.5 * passes * iterations;
    }

    static @Nullable String error(double aggregate) {
        return aggregate <= EPSILON ? null : "aggregate error " + aggregate + " exceeds threshold " + EPSILON;
    }

    private static final class Run implements Trial {
        private final Transpose kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int me;
        private final int pes;
        private final int order;
        private final int tile;
        private final Parts parts;
        private final int columns;
        /** Column by column, all rows of this PE's columns. */
        private final double[] a;

        private final double[] b;
        private final double[] column;
        /** A block on its way to others, and for each PE but this one the block that comes from there. */
        private final HostArray work;

        private final SymmetricArray blocks;
        private final SymmetricArray[] inbox;
        /** Passes whose blocks have come, by distance. */
        private final SymmetricArray arrived;
        /** Passes whose blocks others have taken, by PE. */
        private final SymmetricArray taken;

        Run(Transpose kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.me = shmem.myPe();
            this.pes = shmem.nPes();
            this.order = kernel.order;
            this.tile = kernel.tile == 0 ? order : kernel.tile;
            this.parts = new Parts(order, pes);
            this.columns = (int) parts.size(me);
            this.a = new double[order * columns];
            this.b = new double[order * columns];
            this.column = new double[(int) parts.largest()];
            int block = (int) (parts.largest() * parts.largest());
            this.work = HostArray.allocate(DataType.FLOAT64, block);
            this.blocks = shmem.allocate(DataType.FLOAT64, (long) block * (pes - 1));
            this.inbox = new SymmetricArray[pes - 1];
            for (int i = 0; i < inbox.length; i++) {
                inbox[i] = blocks.slice((long) i * block, block);
            }
            this.arrived = shmem.allocate(DataType.INT64, pes);
            this.taken = shmem.allocate(DataType.INT64, pes);
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < order; i++) {
                    a[i + order * j] = (double) order * (j + parts.first(me)) + i;
                }
            }
        }

        @Override
        public void pass(int number) {
            ownBlock((int) parts.first(me));
            for (int distance = 1; distance < pes; distance++) {
                int from = (me + distance) % pes;
                int to = (me - distance + pes) % pes;
                int rows = (int) parts.size(to);
                transposed((int) parts.first(to), rows);
                // The block before must have been taken.
                long ignored = shmem.waitUntil(taken, to, Comparison.GE, number);
                shmem.putSignal(
                        inbox[distance - 1],
                        work,
                        (long) rows * columns,
                        arrived,
                        distance,
                        number + 1,
                        SignalOp.SET,
                        to);
                ignored = shmem.signalWaitUntil(arrived, distance, Comparison.GE, number + 1);
                add(inbox[distance - 1].segment(), (int) parts.first(from), (int) parts.size(from));
                shmem.p(taken, me, number + 1, from);
            }
        }

        private void ownBlock(int start) {
            for (int i = 0; i < columns; i += tile) {
                for (int j = 0; j < columns; j += tile) {
                    int rowEnd = Math.min(columns, i + tile);
                    int columnEnd = Math.min(columns, j + tile);
                    for (int at = j; at < columnEnd; at += COLUMNS) {
                        ownTile(a, b, start, i, rowEnd, at, Math.min(columnEnd, at + COLUMNS));
                    }
                }
            }
        }

        private void ownTile(double[] a, double[] b, int start, int row, int rowEnd, int from, int to) {
            for (int i = row; i < rowEnd; i++) {
                int target = start + order * i;
                for (int j = from; j < to; j++) {
                    int source = start + i + order * j;
                    double value = a[source];
                    b[target + j] += value;
                    a[source] = value + 1;
                }
            }
        }

        /** Fills {@link #work} with some rows of this PE's columns: row i lies behind row i − 1. */
        private void transposed(int start, int rows) {
            MemorySegment work = this.work.segment();
            for (int i = 0; i < rows; i += tile) {
                for (int j = 0; j < columns; j += tile) {
                    int rowEnd = Math.min(rows, i + tile);
                    int columnEnd = Math.min(columns, j + tile);
                    int at = j;
                    for (; at + COLUMNS <= columnEnd; at += COLUMNS) {
                        eightColumns(a, work, start, i, rowEnd, at);
                    }
                    for (; at < columnEnd; at++) {
                        oneColumn(a, work, start, i, rowEnd, at);
                    }
                }
            }
        }

        private void eightColumns(double[] a, MemorySegment work, int start, int row, int rowEnd, int j) {
            int c0 = start + order * j;
            int c1 = c0 + order;
            int c2 = c1 + order;
            int c3 = c2 + order;
            int c4 = c3 + order;
            int c5 = c4 + order;
            int c6 = c5 + order;
            int c7 = c6 + order;
            for (int i = row; i < rowEnd; i++) {
                double v0 = a[c0 + i];
                double v1 = a[c1 + i];
                double v2 = a[c2 + i];
                double v3 = a[c3 + i];
                double v4 = a[c4 + i];
                double v5 = a[c5 + i];
                double v6 = a[c6 + i];
                double v7 = a[c7 + i];
                long at = ((long) columns * i + j) * Double.BYTES;
                work.set(ValueLayout.JAVA_DOUBLE, at, v0);
                work.set(ValueLayout.JAVA_DOUBLE, at + 8, v1);
                work.set(ValueLayout.JAVA_DOUBLE, at + 16, v2);
                work.set(ValueLayout.JAVA_DOUBLE, at + 24, v3);
                work.set(ValueLayout.JAVA_DOUBLE, at + 32, v4);
                work.set(ValueLayout.JAVA_DOUBLE, at + 40, v5);
                work.set(ValueLayout.JAVA_DOUBLE, at + 48, v6);
                work.set(ValueLayout.JAVA_DOUBLE, at + 56, v7);
                a[c0 + i] = v0 + 1;
                a[c1 + i] = v1 + 1;
                a[c2 + i] = v2 + 1;
                a[c3 + i] = v3 + 1;
                a[c4 + i] = v4 + 1;
                a[c5 + i] = v5 + 1;
                a[c6 + i] = v6 + 1;
                a[c7 + i] = v7 + 1;
            }
        }

        private void oneColumn(double[] a, MemorySegment work, int start, int row, int rowEnd, int j) {
            int source = start + order * j;
            for (int i = row; i < rowEnd; i++) {
                double value = a[source + i];
                work.setAtIndex(ValueLayout.JAVA_DOUBLE, (long) columns * i + j, value);
                a[source + i] = value + 1;
            }
        }

        /** Adds a block that came to some rows of B. */
        private void add(MemorySegment block, int start, int rows) {
            for (int j = 0; j < columns; j++) {
                MemorySegment.copy(block, ValueLayout.JAVA_DOUBLE, (long) j * rows * Double.BYTES, column, 0, rows);
                addTo(b, start + order * j, column, rows);
            }
        }

        private static void addTo(double[] b, int at, double[] column, int rows) {
            for (int i = 0; i < rows; i++) {
                b[at + i] += column[i];
            }
        }

        @Override
        public @Nullable String error() {
            double error = 0;
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < order; i++) {
                    error += Math.abs(b[i + order * j] - kernel.expected(i, parts.first(me) + j));
                }
            }
            return Transpose.error(totals.sum(error));
        }

        @Override
        public void close() {
            blocks.close();
            arrived.close();
            taken.close();
        }
    }
}
