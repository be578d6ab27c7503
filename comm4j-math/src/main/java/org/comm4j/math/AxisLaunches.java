// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.LaunchConfig;

/** The launches of {@link AxisKernels} and {@link LineKernels}. */
final class AxisLaunches {
    private static final int MOST_GRID = 65_535;

    /** Runs of fewer numbers leave most threads of a warp without a pack. */
    private static final long SHORT_RUN = 32;

    /** Lines that keep a GPU busy, each by a thread; fewer ones are cut into pieces. */
    private static final long MANY_LINES = 16_384;

    private static final long PIECE = 256;

    /** Room for sums that a later launch needs. */
    @FunctionalInterface
    interface Room {
        Buffer of(DataType type, long count);
    }

    private AxisLaunches() {}

    private static int power(long most, long wanted) {
        int power = 1;
        while (power < most && power < wanted) {
            power *= 2;
        }
        return power;
    }

    private static int grid(long items, long each) {
        return (int) Math.max(1, Math.min(MOST_GRID, (items + each - 1) / each));
    }

    static void multiply(
            KernelRunner runner, DeviceMatrix onDevice, AxisMatrix matrix, long outer, long inner, Buffer x, Buffer y) {
        boolean wide = Operands.wide(y);
        int lanes = Numbers.lanes(wide);
        long rows = matrix.rowCount();
        long columns = matrix.columnCount();
        long run = y.type().isComplex() ? 2 * inner : inner;
        Buffer starts = onDevice.starts().buffer();
        Buffer column = onDevice.columns().buffer();
        Buffer value = onDevice.values().buffer();
        if (run >= SHORT_RUN) {
            long packs = (run + lanes - 1) / lanes;
            int each = matrix.start(matrix.rowCount()) <= rows ? AxisKernels.PACKS : 1;
            int bx = power(AxisKernels.THREADS, (packs + each - 1) / each);
            int by = power(AxisKernels.THREADS / bx, rows);
            boolean aligned = Operands.aligned(x, y) && run % lanes == 0;
            LaunchConfig config = LaunchConfig.grid(
                            Math.toIntExact((packs + (long) bx * each - 1) / ((long) bx * each)),
                            grid(rows, by),
                            grid(outer, 1))
                    .block(bx, by);
            Object[] constants = {wide, aligned};
            runner.launch("Axis.runs", config, constants, outer, rows, columns, run, starts, column, value, x, y);
            return;
        }
        int bx = power(AxisKernels.THREADS, rows * run);
        int by = power(AxisKernels.THREADS / bx, outer);
        LaunchConfig config = LaunchConfig.grid(
                        Math.toIntExact((rows * run + bx - 1) / bx), grid(outer, (long) by * AxisKernels.SLICES))
                .block(bx, by);
        Object[] constants = {wide};
        runner.launch("Axis.lines", config, constants, outer, rows, columns, run, starts, column, value, x, y);
    }

    static void transpose(KernelRunner runner, long outer, long rows, long columns, long inner, Buffer x, Buffer y) {
        boolean wide = Operands.wide(y);
        int step = y.type().isComplex() ? 2 : 1;
        if (inner == 1) {
            int edge = LineKernels.EDGE;
            long tiles = (rows + edge - 1) / edge * ((columns + edge - 1) / edge);
            LaunchConfig config =
                    LaunchConfig.grid(Math.toIntExact(tiles), grid(outer, 1)).block(edge, LineKernels.TURN);
            Object[] constants = {wide, step};
            runner.launch("Line.transpose", config, constants, outer, rows, columns, x, y);
            return;
        }
        long n = Operands.parts(y);
        runner.run("Line.exchange", n, new Object[] {wide}, n, rows, columns, inner * step, x, y);
    }

    static void cumulate(
            KernelRunner runner, Room room, boolean backward, long outer, long length, long inner, Buffer x, Buffer y) {
        boolean wide = Operands.wide(y);
        long run = y.type().isComplex() ? 2 * inner : inner;
        long piece = outer * run >= MANY_LINES ? length : Math.min(length, PIECE);
        long pieces = (length + piece - 1) / piece;
        Buffer totals = room.of(y.type(), outer * pieces * inner);
        Object[] constants = {wide};
        long threads = outer * pieces * run;
        runner.run("Line.cumulate", threads, constants, backward, outer, length, run, piece, x, y, totals);
        if (pieces > 1) {
            // Twice as much room, as sums of the totals are not where the totals are.
            Buffer sums = room.of(y.type(), 2 * outer * pieces * inner).slice(0, totals.count());
            cumulate(runner, room, backward, outer, pieces, inner, totals, sums);
            long n = Operands.parts(y);
            runner.run("Line.addTotals", n, constants, backward, n, length, run, piece, sums, y);
        }
    }
}
