// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/** Permutations of axes, and sums up to each element along one. */
final class LineKernels {
    /** Edge of the squares that blocks transpose. */
    static final int EDGE = 32;

    /** Rows of a square that the threads of a block take at a time. */
    static final int TURN = 8;

    private LineKernels() {}

    /**
     * y[o, c, r] = x[o, r, c], through shared memory, so that reads and writes are contiguous.
     *
     * @param step numbers of an element
     */
    @Kernel(maxThreads = EDGE * TURN)
    static void transpose(
            @Constant boolean wide,
            @Constant int step,
            long outer,
            long rows,
            long columns,
            @Restrict Ptr x,
            @Restrict Ptr y) {
        // A column more, so that the threads of a warp meet different banks.
        double[] square = Shared.f64(EDGE * (EDGE + 1) * step);
        long tiles = (columns + EDGE - 1) / EDGE;
        long down = BlockIdx.x() / tiles * EDGE;
        long right = BlockIdx.x() % tiles * EDGE;
        int lane = ThreadIdx.x();
        for (long o = BlockIdx.y(); o < outer; o += GridDim.y()) {
            for (int k = ThreadIdx.y(); k < EDGE; k += TURN) {
                Unroll.all();
                if (down + k < rows && right + lane < columns) {
                    long from = ((o * rows + down + k) * columns + right + lane) * step;
                    for (int part = 0; part < step; part++) {
                        Unroll.all();
                        square[(k * (EDGE + 1) + lane) * step + part] = Numbers.get(wide, x, from + part);
                    }
                }
            }
            Block.sync();
            for (int k = ThreadIdx.y(); k < EDGE; k += TURN) {
                Unroll.all();
                if (right + k < columns && down + lane < rows) {
                    long to = ((o * columns + right + k) * rows + down + lane) * step;
                    for (int part = 0; part < step; part++) {
                        Unroll.all();
                        Numbers.set(wide, y, to + part, square[(lane * (EDGE + 1) + k) * step + part]);
                    }
                }
            }
            Block.sync();
        }
    }

    /** y[o, c, r, i] = x[o, r, c, i], where {@code run} contiguous numbers stay together. */
    @Kernel
    static void exchange(
            @Constant boolean wide, long n, long rows, long columns, long run, @Restrict Ptr x, @Restrict Ptr y) {
        long at = GlobalIdx.xLong();
        if (at >= n) {
            return;
        }
        long block = at / run;
        long row = block % rows;
        long column = block / rows % columns;
        long outer = block / rows / columns;
        long from = ((outer * rows + row) * columns + column) * run + at % run;
        Numbers.set(wide, y, at, Numbers.get(wide, x, from));
    }

    /**
     * Sums up to each number along the middle of three axes, within pieces of it, one piece for each thread.
     *
     * @param backward whether sums run from the end
     * @param piece numbers along the axis
     * @param totals the sums of whole pieces, outer × pieces × run numbers
     */
    @Kernel
    static void cumulate(
            @Constant boolean wide,
            boolean backward,
            long outer,
            long length,
            long run,
            long piece,
            Ptr x,
            Ptr y,
            Ptr totals) {
        long pieces = (length + piece - 1) / piece;
        long at = GlobalIdx.xLong();
        if (at >= outer * pieces * run) {
            return;
        }
        long slice = at / run;
        long o = slice / pieces;
        long first = (slice - o * pieces) * piece;
        long count = Math.min(piece, length - first);
        long begin = (o * length + first) * run + at - slice * run;
        double sum = 0;
        for (long k = 0; k < count; k++) {
            Unroll.times(4);
            long i = begin + (backward ? count - 1 - k : k) * run;
            sum = Numbers.plus(wide, sum, Numbers.get(wide, x, i));
            Numbers.set(wide, y, i, sum);
        }
        Numbers.set(wide, totals, at, sum);
    }

    /** Adds to each number the sums of the pieces before its own, or behind it. */
    @Kernel
    static void addTotals(
            @Constant boolean wide, boolean backward, long n, long length, long run, long piece, Ptr sums, Ptr y) {
        long at = GlobalIdx.xLong();
        if (at >= n) {
            return;
        }
        long slice = at / run;
        long o = slice / length;
        long pieces = (length + piece - 1) / piece;
        long other = (slice - o * length) / piece + (backward ? 1 : -1);
        if (other >= 0 && other < pieces) {
            double sum = Numbers.get(wide, sums, (o * pieces + other) * run + at - slice * run);
            Numbers.set(wide, y, at, Numbers.plus(wide, Numbers.get(wide, y, at), sum));
        }
    }
}
