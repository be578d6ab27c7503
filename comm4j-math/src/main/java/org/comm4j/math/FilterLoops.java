// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * A wide band matrix along one axis of an array in host memory, such as a filter.
 *
 * <p>It computes many lines side by side, and long lines in pieces: the compiler makes vector instructions of a loop
 * over arrays that all begin at the same index, and none of a loop over one array at different offsets. A convolution
 * of 80 samples so takes a fifth of the time. Sums are formed in double precision, each product and its addition with
 * one rounding. Made once for a stencil; a run allocates nothing. For one thread at a time.
 */
final class FilterLoops {
    /** Width of a band from which on the copies pay off: a filter, where derivatives have 1 or 2. */
    private static final int WIDE = 4;

    private static final int LANES = 128;
    private static final int OUTPUTS = 3;
    private static final int TOGETHER = 8;
    private static final int SHORTEST_PIECE = 16;
    /** So that the samples of all lanes stay in a processor's own caches. */
    private static final int LONGEST_PIECE = 512;

    private final Band band;
    private final AxisShape shape;
    /** First row of this part. */
    private final long start;
    /** Coefficients of the interior without zeros at their ends; the first one belongs to sample i − {@code left}. */
    private final double[] taps;

    private final int left;
    /** Elements of a line from which, and up to which, rows are those of the interior, cut off at the ends or not. */
    private final long plainFrom;

    private final long plainTo;

    // Of an element type: complex numbers are pairs

    private long inner;
    private long pieces;
    private int piece;

    // Of a run

    private @Nullable MemorySegment x;
    private @Nullable MemorySegment front;
    private @Nullable MemorySegment back;
    private @Nullable MemorySegment y;
    private boolean wide;

    // Of the lines that are computed side by side

    private final long[] outer = new long[LANES];
    private final long[] within = new long[LANES];
    private final long[] first = new long[LANES];
    private final int[] outputs = new int[LANES];
    /** Samples from the first one that a lane's first output needs; behind what is computed, the outputs. */
    private double[][] samples = {};

    /** Lines that are turned to lanes together, so that each line of a cache is met once. */
    private final double[][] lines = new double[TOGETHER][0];

    private float[] floats = {};
    /** Outputs that are computed together. */
    private final double[][] sums = new double[OUTPUTS][LANES];

    private FilterLoops(Band band, AxisShape shape, long start) {
        this.band = band;
        this.shape = shape;
        this.start = start;
        double[] row = band.interior();
        int from = 0;
        int to = row.length;
        while (from < to - 1 && row[from] == 0) {
            from++;
        }
        while (to > from + 1 && row[to - 1] == 0) {
            to--;
        }
        taps = Arrays.copyOfRange(row, from, to);
        left = band.width() - from;
        plainFrom = Math.clamp(band.plainFrom() - start, 0, shape.length());
        plainTo = Math.clamp(band.plainTo() - start, plainFrom, shape.length());
    }

    /** Returns the loops of a stencil that is one wide band; null for any other. */
    static @Nullable FilterLoops of(Stencil stencil) {
        int axis = -1;
        for (int a = 0; a < stencil.shape().length; a++) {
            if (stencil.bands()[a] != null) {
                if (axis >= 0) {
                    return null;
                }
                axis = a;
            }
        }
        Band band = axis < 0 ? null : stencil.bands()[axis];
        if (band == null || band.width() < WIDE) {
            return null;
        }
        return new FilterLoops(band, AxisShape.of(axis, stencil.shape()), axis == stencil.axis() ? stencil.start() : 0);
    }

    /**
     * Multiplies.
     *
     * @param before rows of the neighbour before this part, where the axis is divided
     * @param after rows of the neighbour behind it
     */
    void run(HostArray from, @Nullable HostArray before, @Nullable HostArray after, HostArray to) {
        x = from.segment();
        front = before == null ? null : before.segment();
        back = after == null ? null : after.segment();
        y = to.segment();
        wide = Compute.real(to.type()) == DataType.FLOAT64;
        inner = shape.inner() * (to.type().isComplex() ? 2 : 1);
        long lines = shape.outer() * inner;
        long plain = plainTo - plainFrom;
        pieces = lines == 0 ? 1 : Math.clamp(LANES / lines, 1, Math.max(1, plain / SHORTEST_PIECE));
        pieces = Math.max(pieces, Math.ceilDiv(plain, LONGEST_PIECE));
        piece = (int) Math.ceilDiv(plain, pieces);
        makeRoom();
        for (long lane = 0; plain > 0 && lane < lines * pieces; lane += LANES) {
            compute(lane, (int) Math.min(LANES, lines * pieces - lane));
        }
        ends(0, plainFrom);
        ends(plainTo, shape.length());
    }

    private void makeRoom() {
        int rows = piece + 1 + taps.length;
        if (samples.length < rows) {
            samples = new double[rows][LANES];
            Arrays.setAll(lines, q -> new double[rows]);
        }
        if (!wide && floats.length == 0) {
            floats = new float[Math.max(LANES, LONGEST_PIECE + taps.length)];
        }
    }

    /** Computes this lane and those behind it. */
    private void compute(long lane, int lanes) {
        for (int q = 0; q < lanes; q++) {
            long of = (lane + q) / pieces;
            long begin = (lane + q) % pieces * piece;
            outer[q] = of / inner;
            within[q] = of % inner;
            first[q] = plainFrom + begin;
            outputs[q] = Math.clamp(plainTo - plainFrom - begin, 0, piece);
        }
        if (inner == 1) {
            readLines(lanes);
        } else {
            readRows(lanes);
        }
        for (int t = 0; t < piece; t += OUTPUTS) {
            sum(t, lanes);
            for (int i = 0; i < OUTPUTS; i++) {
                // Nobody needs this sample any more.
                double[] done = samples[t + i];
                samples[t + i] = sums[i];
                sums[i] = done;
            }
        }
        if (inner == 1) {
            writeLines(lanes);
        } else {
            writeRows(lanes);
        }
    }

    private void readLines(int lanes) {
        for (int q = 0; q < lanes; q += TOGETHER) {
            int count = 0;
            for (int i = 0; i < TOGETHER; i++) {
                // Behind the last lane nobody looks.
                count = Math.max(count, readLine(Math.min(q + i, lanes - 1), lines[i]));
            }
            for (int u = 0; u < count; u++) {
                double[] row = samples[u];
                for (int i = 0; i < TOGETHER; i++) {
                    row[q + i] = lines[i][u];
                }
            }
        }
    }

    /** Reads the samples that a lane needs; returns how many. */
    private int readLine(int q, double[] line) {
        long from = first[q] - left;
        int count = outputs[q] + taps.length - 1;
        int before = Math.clamp(-from, 0, count);
        int inside = Math.clamp(shape.length() - from, before, count);
        for (int u = 0; u < before; u++) {
            line[u] = beyond(q, from + u);
        }
        if (inside > before) {
            read(given(x), outer[q] * shape.length() + from + before, line, before, inside - before);
        }
        for (int u = inside; u < count; u++) {
            line[u] = beyond(q, from + u);
        }
        return count;
    }

    private void writeLines(int lanes) {
        for (int q = 0; q < lanes; q += TOGETHER) {
            for (int t = 0; t < piece; t++) {
                double[] row = samples[t];
                for (int i = 0; i < TOGETHER; i++) {
                    lines[i][t] = row[q + i];
                }
            }
            for (int i = 0; i < Math.min(TOGETHER, lanes - q); i++) {
                if (outputs[q + i] > 0) {
                    write(lines[i], 0, outer[q + i] * shape.length() + first[q + i], outputs[q + i]);
                }
            }
        }
    }

    private void readRows(int lanes) {
        long length = shape.length();
        int end;
        for (int q = 0; q < lanes; q = end) {
            end = endOfRun(q, lanes);
            int count = outputs[q] + taps.length - 1;
            for (int u = 0; u < count; u++) {
                long s = first[q] - left + u;
                if (s >= 0 && s < length) {
                    read(given(x), (outer[q] * length + s) * inner + within[q], samples[u], q, end - q);
                } else {
                    for (int lane = q; lane < end; lane++) {
                        samples[u][lane] = beyond(lane, s);
                    }
                }
            }
        }
    }

    private void writeRows(int lanes) {
        int end;
        for (int q = 0; q < lanes; q = end) {
            end = endOfRun(q, lanes);
            for (int t = 0; t < outputs[q]; t++) {
                long row = outer[q] * shape.length() + first[q] + t;
                write(samples[t], q, row * inner + within[q], end - q);
            }
        }
    }

    /** Returns the first lane whose numbers do not lie behind those of the lane before it. */
    private int endOfRun(int q, int lanes) {
        int end = q + 1;
        while (end < lanes && within[end] == within[end - 1] + 1 && first[end] == first[q]) {
            end++;
        }
        return end;
    }

    private void read(MemorySegment from, long at, double[] to, int offset, int n) {
        if (wide) {
            MemorySegment.copy(from, JAVA_DOUBLE, at * Double.BYTES, to, offset, n);
            return;
        }
        MemorySegment.copy(from, JAVA_FLOAT, at * Float.BYTES, floats, 0, n);
        for (int i = 0; i < n; i++) {
            to[offset + i] = floats[i];
        }
    }

    private void write(double[] from, int offset, long at, int n) {
        MemorySegment to = given(y);
        if (wide) {
            MemorySegment.copy(from, offset, to, JAVA_DOUBLE, at * Double.BYTES, n);
            return;
        }
        for (int i = 0; i < n; i++) {
            floats[i] = (float) from[offset + i];
        }
        MemorySegment.copy(floats, 0, to, JAVA_FLOAT, at * Float.BYTES, n);
    }

    /** Returns a sample of a neighbour's; 0 beyond the ends of the whole array, and where nobody needs it. */
    private double beyond(int q, long s) {
        long width = band.width();
        long row = s < 0 ? s + width : s - shape.length();
        boolean outside = start + s < 0 || start + s >= band.length();
        if (outside || row < 0 || row >= width) {
            return 0;
        }
        return number(given(s < 0 ? front : back), (outer[q] * width + row) * inner + within[q]);
    }

    private double number(MemorySegment from, long at) {
        return wide ? from.getAtIndex(JAVA_DOUBLE, at) : from.getAtIndex(JAVA_FLOAT, at);
    }

    /** Sums outputs of each lane: as many, and as many taps in a turn, as make the fastest vector loop. */
    private void sum(int t, int lanes) {
        for (double[] each : sums) {
            Arrays.fill(each, 0, lanes, 0);
        }
        int k = 0;
        for (; k + 4 <= taps.length; k += 4) {
            int at = t + k;
            four(
                    taps[k],
                    taps[k + 1],
                    taps[k + 2],
                    taps[k + 3],
                    samples[at],
                    samples[at + 1],
                    samples[at + 2],
                    samples[at + 3],
                    samples[at + 4],
                    samples[at + 5],
                    sums[0],
                    sums[1],
                    sums[2],
                    lanes);
        }
        for (; k < taps.length; k++) {
            for (int i = 0; i < OUTPUTS; i++) {
                one(taps[k], samples[t + k + i], sums[i], lanes);
            }
        }
    }

    private static void four(
            double a,
            double b,
            double c,
            double d,
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3,
            double[] x4,
            double[] x5,
            double[] y0,
            double[] y1,
            double[] y2,
            int n) {
        for (int q = 0; q < n; q++) {
            double p = x1[q];
            double r = x2[q];
            double s = x3[q];
            double t = x4[q];
            y0[q] = Math.fma(d, s, Math.fma(c, r, Math.fma(b, p, Math.fma(a, x0[q], y0[q]))));
            y1[q] = Math.fma(d, t, Math.fma(c, s, Math.fma(b, r, Math.fma(a, p, y1[q]))));
            y2[q] = Math.fma(d, x5[q], Math.fma(c, t, Math.fma(b, s, Math.fma(a, r, y2[q]))));
        }
    }

    private static void one(double a, double[] x, double[] y, int n) {
        for (int q = 0; q < n; q++) {
            y[q] = Math.fma(a, x[q], y[q]);
        }
    }

    /** Computes elements with rows of their own, in all lines. */
    private void ends(long from, long to) {
        int width = band.width();
        for (long line = 0; line < shape.outer() * inner; line++) {
            outer[0] = line / inner;
            within[0] = line % inner;
            for (long i = from; i < to; i++) {
                double[] row = band.row(start + i);
                double sum = 0;
                for (int k = 0; k < row.length; k++) {
                    if (row[k] != 0) {
                        sum += row[k] * sample(i + k - width);
                    }
                }
                sums[0][0] = sum;
                write(sums[0], 0, (outer[0] * shape.length() + i) * inner + within[0], 1);
            }
        }
    }

    /** Returns a sample of lane 0's line. */
    private double sample(long s) {
        long length = shape.length();
        return s < 0 || s >= length ? beyond(0, s) : number(given(x), (outer[0] * length + s) * inner + within[0]);
    }

    private static MemorySegment given(@Nullable MemorySegment from) {
        if (from == null) {
            throw new IllegalArgumentException("stencil: rows of the neighbours are needed and were not given");
        }
        return from;
    }
}
