// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * Fourier transforms on a processor, by the thread that calls: lines of up to {@value #LONG} elements many at once, and
 * longer ones one at a time. Real lines of even length are transformed as half as many complex numbers, and those of
 * odd length by {@link OddRealFft} unless they have a large prime factor.
 */
final class JavaFft implements Fft {
    /** From here on a line is a matrix of its own: rows of many lines leave the cache. */
    private static final int LONG = 8192;

    /** Fewer lines than these make loops so short that a line alone, as a matrix, is faster. */
    private static final int FEW = 8;

    /** Bytes of a tile of lines: longer loops are worth more than a tile in the second-level cache. */
    private static final int TILE = 1 << 21;

    /** Those of a tile whose lines are transposed, and of butterflies with few operations: half of that cache. */
    private static final int SMALL_TILE = 1 << 19;

    /** Least columns of a tile. */
    private static final int NARROW = 32;

    /** Bytes of a row of a tile. */
    private static final int ROW = 1024;

    private final DataType type;
    private final long outer;
    private final int length;
    private final long inner;
    /** Factor of all results. */
    private final double factor;
    /** Factor of the results of real transforms that stand for two. */
    private final double pairs;

    private final boolean packed;
    /** Whether a line is as many complex numbers, of which half of the transform is wanted. */
    private final boolean half;

    /** Elements of a line of the result of the forward transform. */
    private final int bins;

    private final int columns;
    private final @Nullable Together rows;
    private final @Nullable Line line;

    JavaFft(DataType type, long outer, int length, long inner, double factor, double pairs) {
        this.type = type;
        this.factor = factor;
        this.pairs = type.isComplex() ? 1 : pairs;
        this.outer = outer;
        this.length = length;
        this.inner = inner;
        boolean real = !type.isComplex();
        bins = real ? length / 2 + 1 : length;
        long lines = outer * inner;
        boolean together = length <= LONG && (lines >= FEW || length < 64);
        packed = real && together && length % 2 == 0;
        int n = packed ? length / 2 : length;
        half = real && !packed;
        columns = together ? columns(lines, n) : 1;
        rows = together ? rows(n) : null;
        line = together ? null : new Line(new LongFft(n), new double[n], new double[n]);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void forward(Buffer x, Buffer y) {
        FftLines from = lines("forward", "x", x, false);
        FftLines to = lines("forward", "y", y, true);
        Operands.disjoint("forward", type, x, y);
        run(false, from, to);
    }

    @Override
    public void inverse(Buffer x, Buffer y) {
        FftLines from = lines("inverse", "x", x, true);
        FftLines to = lines("inverse", "y", y, false);
        Operands.disjoint("inverse", type, x, y);
        run(true, from, to);
    }

    private FftLines lines(String direction, String name, Buffer buffer, boolean spectrum) {
        if (!(buffer instanceof HostArray array)) {
            throw new IllegalArgumentException(direction + " transform: " + name + " is " + buffer
                    + ", not in host memory, where this processor computes");
        }
        Operands.transformed(direction, type, outer, length, inner, name, buffer, spectrum);
        FftLines lines = FftLines.of(array, spectrum ? bins : length, inner);
        return spectrum || type.isComplex() || packed ? lines : lines.single();
    }

    private void run(boolean inverse, FftLines x, FftLines y) {
        long lines = outer * inner;
        if (rows != null) {
            for (long l = 0; l < lines; l += columns) {
                int count = (int) Math.min(columns, lines - l);
                if (inverse) {
                    rows.inverse(x, y, l, count);
                } else {
                    rows.forward(x, y, l, count);
                }
            }
        }
        for (long l = 0; line != null && l < lines; l++) {
            if (inverse) {
                line.inverse(x, y, l);
            } else {
                line.forward(x, y, l);
            }
        }
    }

    @Override
    public void close() {}

    /** Returns the columns of a tile: as many as there is use and place for. */
    private int columns(long lines, int n) {
        boolean smooth = SmoothFft.isSmooth(n);
        int bytes = smooth && Compute.real(type) == DataType.FLOAT32 ? Float.BYTES : Double.BYTES;
        int count = smooth ? n : BluesteinFft.rows(n, half ? bins : n);
        int tile = inner == 1 && SmoothFft.isLight(n) ? SMALL_TILE : TILE;
        int fitting = Math.clamp(tile / (2 * bytes * count), NARROW, ROW / bytes);
        return Math.clamp(lines, RowLoops.LEAST, fitting & -FftTile.TOGETHER);
    }

    /** Makes transforms of many lines at once, in the precision of the type where the length has small factors. */
    private Together rows(int n) {
        if (!SmoothFft.isSmooth(n)) {
            BluesteinFft there = new BluesteinFft(n, n, half ? bins : n, columns);
            return new Rows<>(DoubleRows.LOOPS, there, half ? new BluesteinFft(n, bins, n, columns) : there);
        }
        return Compute.real(type) == DataType.FLOAT64 ? smooth(DoubleRows.LOOPS, n) : smooth(FloatRows.LOOPS, n);
    }

    private <A> Together smooth(RowLoops<A> loops, int n) {
        if (half && n > 1) {
            return new OddRows<>(loops, new OddRealFft<>(loops, n, columns));
        }
        SmoothFft<A> fft = new SmoothFft<>(loops, n, columns);
        return new Rows<>(loops, fft, fft);
    }

    /** Many lines at once. */
    private interface Together {
        void forward(FftLines x, FftLines y, long line, int lines);

        void inverse(FftLines x, FftLines y, long line, int lines);
    }

    private static int[] natural(int count) {
        return IntStream.range(0, count).toArray();
    }

    /** Real lines of an odd length. */
    private final class OddRows<A> implements Together {
        private final RowLoops<A> loops;
        private final OddRealFft<A> fft;
        private final A[] re;
        private final A[] im;
        private final FftTile<A> tile;
        private final int[] natural = natural(length);
        private final int[] given = new int[bins];
        private final int[] results = new int[bins];
        private final int[] numbers = new int[length];

        OddRows(RowLoops<A> loops, OddRealFft<A> fft) {
            this.loops = loops;
            this.fft = fft;
            re = loops.rows(length, columns);
            im = loops.rows(length, columns);
            tile = new FftTile<>(loops, re, im, columns);
            Arrays.setAll(given, fft::givenRow);
            Arrays.setAll(results, fft::resultRow);
            Arrays.setAll(numbers, fft::row);
        }

        @Override
        public void forward(FftLines x, FftLines y, long line, int lines) {
            int columns = Math.max(lines, RowLoops.LEAST);
            tile.load(x, line, lines, length, natural);
            fft.run(re, im, columns);
            weigh(results, pairs, columns);
            tile.store(y, line, lines, bins, results);
        }

        @Override
        public void inverse(FftLines x, FftLines y, long line, int lines) {
            int columns = Math.max(lines, RowLoops.LEAST);
            tile.load(x, line, lines, bins, given);
            weigh(given, 1 / pairs, columns);
            fft.invert(re, im, columns);
            tile.store(y, line, lines, length, numbers);
        }

        /** Multiplies elements by their factors, and replaces conjugate ones. */
        private void weigh(int[] rows, double pairs, int columns) {
            for (int k = 0; k < bins; k++) {
                double f = k == 0 ? factor : factor * pairs;
                double g = fft.isConjugate(k) ? -f : f;
                if (f != 1 || g != 1) {
                    loops.scale(re[rows[k]], im[rows[k]], f, g, columns);
                }
            }
        }
    }

    /** Lines of other kinds. */
    private final class Rows<A> implements Together {
        private final RowLoops<A> loops;
        private final RowFft<A> fft;
        private final RowFft<A> back;
        private final A[] re;
        private final A[] im;
        private final FftTile<A> tile;
        private final int[] natural;
        private final int[] order;
        private final double @Nullable [] roots;

        /**
         * Makes the transforms.
         *
         * @param fft of all elements
         * @param back as many rows in the same order; of real numbers that are not packed, of the elements up to the
         *     Nyquist frequency
         */
        Rows(RowLoops<A> loops, RowFft<A> fft, RowFft<A> back) {
            this.loops = loops;
            this.fft = fft;
            this.back = back;
            int n = fft.length();
            int count = fft.rows() + 1;
            re = loops.rows(count, columns);
            im = loops.rows(count, columns);
            tile = new FftTile<>(loops, re, im, columns);
            natural = natural(n + 1);
            order = new int[n + 1];
            for (int k = 0; k < n; k++) {
                order[k] = fft.row(k);
            }
            order[n] = fft.rows();
            roots = packed ? Twiddles.of(2, n) : null;
        }

        @Override
        public void forward(FftLines x, FftLines y, long line, int lines) {
            int columns = Math.max(lines, RowLoops.LEAST);
            int n = fft.length();
            tile.load(x, line, lines, n, natural);
            for (int k = 0; x.part() == 0 && k < n; k++) {
                loops.clear(im[k], columns);
            }
            fft.run(re, im, columns);
            if (roots != null) {
                loops.ends(re[order[0]], im[order[0]], re[order[n]], im[order[n]], columns);
                for (int k = 1; 2 * k <= n; k++) {
                    int a = order[k];
                    int b = order[n - k];
                    loops.split(re[a], im[a], re[b], im[b], roots[2 * k], roots[2 * k + 1], pairs, columns);
                }
            } else if (pairs != 1) {
                for (int k = 1; 2 * k < n; k++) {
                    loops.scale(re[order[k]], im[order[k]], pairs, pairs, columns);
                }
            }
            for (int k = 0; factor != 1 && k < bins; k++) {
                loops.scale(re[order[k]], im[order[k]], factor, factor, columns);
            }
            tile.store(y, line, lines, bins, order);
        }

        @Override
        public void inverse(FftLines x, FftLines y, long line, int lines) {
            int columns = Math.max(lines, RowLoops.LEAST);
            int n = fft.length();
            tile.load(x, line, lines, bins, natural);
            for (int k = 0; factor != 1 && k < bins; k++) {
                loops.scale(re[k], im[k], factor, factor, columns);
            }
            if (roots != null) {
                loops.joinEnds(re[0], im[0], re[n], im[n], columns);
                for (int k = 1; 2 * k <= n; k++) {
                    loops.join(re[k], im[k], re[n - k], im[n - k], roots[2 * k], roots[2 * k + 1], 1 / pairs, columns);
                }
            } else if (!type.isComplex()) {
                // The length is odd: the other elements are conjugate to these, and add the same real parts.
                loops.clear(im[0], columns);
                for (int k = 1; k < bins; k++) {
                    loops.scale(re[k], im[k], 2 / pairs, 2 / pairs, columns);
                }
            }
            back.run(im, re, columns);
            tile.store(y, line, lines, n, order);
        }
    }

    /** One line at a time. */
    private final class Line {
        private final LongFft fft;
        private final double[] re;
        private final double[] im;
        private final FftTile<double[]> tile = new FftTile<>(DoubleRows.LOOPS, new double[0][], new double[0][], 1);

        Line(LongFft fft, double[] re, double[] im) {
            this.fft = fft;
            this.re = re;
            this.im = im;
        }

        void forward(FftLines x, FftLines y, long line) {
            tile.loadLine(x, line, length, re, im);
            fft.run(re, im);
            scale(pairs);
            tile.storeLine(y, line, bins, re, im);
        }

        void inverse(FftLines x, FftLines y, long line) {
            tile.loadLine(x, line, bins, re, im);
            scale(1 / pairs);
            if (!type.isComplex()) {
                im[0] = 0;
                if (length % 2 == 0) {
                    im[length / 2] = 0;
                }
                for (int k = bins; k < length; k++) {
                    re[k] = re[length - k];
                    im[k] = -im[length - k];
                }
            }
            fft.run(im, re);
            tile.storeLine(y, line, length, re, im);
        }

        private void scale(double pairs) {
            for (int k = 0; (factor != 1 || pairs != 1) && k < bins; k++) {
                double weight = k == 0 || 2 * k == length ? factor : factor * pairs;
                re[k] *= weight;
                im[k] *= weight;
            }
        }
    }
}
