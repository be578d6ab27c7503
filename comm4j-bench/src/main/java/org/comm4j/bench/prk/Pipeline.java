// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * A wave front through a grid of {@code m} rows and {@code n} columns: each point is the sum of its neighbours below
 * and left, less the one between them. Each PE has some rows and hands its last one to the next PE, point by point.
 *
 * @param group columns whose points are handed over together; 1 as the kernel is meant
 */
public record Pipeline(int iterations, int m, int n, int group) implements ResearchKernel {
    private static final double EPSILON = 1e-8;

    public Pipeline {
        Checks.atLeast("p2p", "the number of iterations", iterations, 1);
        Checks.atLeast("p2p", "the first grid dimension", m, 2);
        Checks.atLeast("p2p", "the second grid dimension", n, 2);
        Checks.atLeast("p2p", "the group factor", group, 1);
        group = Math.min(group, n - 1);
    }

    @Override
    public String name() {
        return "p2p";
    }

    @Override
    public String title() {
        return "pipeline execution on 2D grid";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Grid sizes", m + ", " + n);
        all.put("Number of iterations", iterations);
        if (group > 1) {
            all.put("Group factor", group + " (cheating!)");
        }
        return all;
    }

    @Override
    public void check(int pes) {
        if (m <= pes) {
            throw new IllegalArgumentException("p2p: the first grid dimension is " + m
                    + ", but must exceed the number of PEs, " + pes + "; use a larger one or fewer PEs");
        }
        Checks.fits("p2p", "the grid", (new Parts(m, pes).largest() + 1.0) * n, "use a smaller grid or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        Rate[] rates = Rate.ofPass("MFlops/s", 2.0 * (m - 1) * (n - 1), seconds[0], iterations);
        // The reference's sign of cheating.
        return group == 1 ? rates : new Rate[] {rates[0].withLine("Rate (MFlops/s): -%f Avg time (s): -%f")};
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        private final Pipeline kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int me;
        private final int last;
        private final int columns;
        private final int rows;
        /** Column by column; in front of each column is the point left of it, of the PE before. */
        private final double[] grid;

        private final int pitch;
        /** What the PE before has handed over, by column; of the first PE, point 0 is the corner of the last PE. */
        private final SymmetricArray handed;
        /** In which pass it did so, counted from 1; of a group by the column that begins it. */
        private final SymmetricArray passes;
        /** Points on their way, and where they go, by group. */
        private final HostArray corners;

        private final SymmetricArray[] handedGroups;

        Run(Pipeline kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.me = shmem.myPe();
            this.last = shmem.nPes() - 1;
            this.columns = kernel.n;
            Parts parts = new Parts(kernel.m, shmem.nPes());
            this.rows = (int) parts.size(me);
            this.pitch = rows + 1;
            this.grid = new double[pitch * columns];
            this.handed = shmem.allocate(DataType.FLOAT64, columns);
            this.passes = shmem.allocate(DataType.INT64, columns);
            this.corners = HostArray.allocate(DataType.FLOAT64, kernel.group);
            this.handedGroups = new SymmetricArray[Math.ceilDiv(columns - 1, kernel.group)];
            for (int i = 0; i < handedGroups.length; i++) {
                int first = 1 + i * kernel.group;
                handedGroups[i] = handed.slice(first, Math.min(kernel.group, columns - first));
            }
            for (int j = 0; j < columns && me == 0; j++) {
                grid[1 + j * pitch] = j;
            }
            for (int i = 0; i < pitch; i++) {
                grid[i] = parts.first(me) + i - 1;
            }
        }

        @Override
        public void pass(int number) {
            if (me == 0 && last > 0 && number > 0) {
                long ignored = shmem.waitUntil(passes, 0, Comparison.GE, number);
                grid[1] = handed.getDouble(0);
            }
            // The first row of the grid is given.
            int first = me == 0 ? 2 : 1;
            if (kernel.group == 1) {
                for (int j = 1; j < columns; j++) {
                    int column = j * pitch;
                    if (me > 0) {
                        long ignored = shmem.waitUntil(passes, j, Comparison.GE, number + 1);
                        grid[column] = handed.getDouble(j);
                    }
                    double corner = relax(grid, column + first, column + pitch, pitch);
                    if (me < last) {
                        hand(j, corner, number, me + 1);
                    }
                }
            } else {
                for (int group = 0; group < handedGroups.length; group++) {
                    relaxGroup(group, first, number);
                }
            }
            double corner = -grid[columns * pitch - 1];
            if (last == 0) {
                grid[1] = corner;
            } else if (me == last) {
                hand(0, corner, number, 0);
            }
        }

        private void relaxGroup(int group, int first, int number) {
            int start = 1 + group * kernel.group;
            int count = (int) handedGroups[group].count();
            if (me > 0) {
                long ignored = shmem.signalWaitUntil(passes, start, Comparison.GE, number + 1);
            }
            for (int j = start; j < start + count; j++) {
                int column = j * pitch;
                if (me > 0) {
                    grid[column] = handed.getDouble(j);
                }
                double corner = relax(grid, column + first, column + pitch, pitch);
                corners.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, j - start, corner);
            }
            if (me < last) {
                shmem.putSignal(handedGroups[group], corners, count, passes, start, number + 1, SignalOp.SET, me + 1);
            }
        }

        private void hand(int column, double value, int number, int to) {
            shmem.p(handed, column, value, to);
            shmem.fence();
            shmem.p(passes, column, number + 1, to);
        }

        /**
         * Some points of one column, each of which waits for one addition of the point before only; returns the last
         * one.
         */
        private static double relax(double[] grid, int from, int to, int pitch) {
            double value = grid[from - 1];
            double before = grid[from - 1 - pitch];
            for (int i = from; i < to; i++) {
                double left = grid[i - pitch];
                value += left - before;
                before = left;
                grid[i] = value;
            }
            return value;
        }

        @Override
        public @Nullable String error() {
            double expected = (kernel.iterations + 1.0) * ((double) kernel.m + kernel.n - 2);
            double corner = totals.sum(me == last ? grid[columns * pitch - 1] : 0);
            return Math.abs(corner - expected) / expected < EPSILON
                    ? null
                    : "checksum " + corner + " does not match verification value " + expected;
        }

        @Override
        public void close() {
            handed.close();
            passes.close();
        }
    }
}
