// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/**
 * A discrete cosine transform along the middle of three axes, outer × length × inner, planned once for many calls
 * (SciPy {@code dct} with {@code norm='ortho'}). It is orthogonal: the inverse is the transposed one.
 *
 * <p>Lines are combined, transformed by an {@link Fft}, and combined again (Makhoul, 1980). Of complex numbers both
 * parts are transformed alike.
 */
public final class Dct implements AutoCloseable {
    private final Compute compute;
    private final DataType type;
    private final long outer;
    private final int length;
    private final long inner;
    private final boolean transposed;
    private final Fft fft;
    private final AxisMatrix before;
    private final AxisMatrix beforeTransposed;
    private final AxisMatrix after;
    private final AxisMatrix afterTransposed;
    private final Buffer line;
    private final Buffer input;
    private final Buffer spectrum;

    /** The matrices around a Fourier transform. */
    private record Plan(AxisMatrix before, AxisMatrix after, int period, boolean real) {}

    private Dct(Compute compute, DataType type, int kind, long outer, int length, long inner) {
        this.compute = compute;
        this.type = type;
        this.outer = outer;
        this.length = length;
        // The parts of complex numbers are two lines.
        this.inner = type.isComplex() ? 2 * inner : inner;
        transposed = kind == 3;
        DataType real = Compute.real(type);
        DataType complex = Compute.promote(real, DataType.COMPLEX64);
        Plan plan = switch (kind) {
            case 1 -> first(length);
            case 4 -> fourth(length);
            default -> second(length);
        };
        before = plan.before;
        beforeTransposed = before.transposed();
        after = plan.after;
        long lines = outer * this.inner;
        // The transposed real transform is the unscaled inverse of half of what stands for two.
        afterTransposed = plan.real ? halved(after.transposed(), plan.period) : after.transposed();
        fft = compute.fft(plan.real ? real : complex, lines, plan.period, 1);
        line = compute.buffer(real, this.inner == 1 ? 0 : lines * length);
        input = compute.buffer(plan.real ? real : complex, lines * plan.period);
        spectrum = compute.buffer(complex, lines * after.columnCount() / 2);
    }

    /**
     * Plans transforms.
     *
     * @param type of the elements, real or complex
     * @param kind 1 to 4 (SciPy {@code type})
     * @param outer number of slices before the axis
     * @param length of the axis, at least 1, and at least 2 for kind 1
     * @param inner number of contiguous elements behind it
     * @throws IllegalArgumentException if a number is out of range
     */
    public static Dct of(Compute compute, DataType type, int kind, long outer, int length, long inner) {
        noNulls("Dct.of", "compute", compute, "type", type);
        Compute.check("dct", type);
        if (kind < 1 || kind > 4) {
            throw new IllegalArgumentException("dct: kind " + kind + " is none of 1, 2, 3 and 4");
        }
        if (outer < 0 || inner < 0 || length < 1 || kind == 1 && length < 2 || length > Integer.MAX_VALUE / 4) {
            throw new IllegalArgumentException("dct of kind " + kind + " of " + outer + " x " + length + " x " + inner
                    + ": it takes lines of " + (kind == 1 ? 2 : 1) + " to " + Integer.MAX_VALUE / 4 + " elements");
        }
        return new Dct(compute, type, kind, outer, length, inner);
    }

    /** Kind 1: the line and its mirror image without the ends. */
    private static Plan first(int n) {
        int period = 2 * (n - 1);
        AxisMatrix.Builder before = AxisMatrix.of(n);
        for (int j = 0; j < period; j++) {
            int from = Math.min(j, period - j);
            before.element(from, from == 0 || from == n - 1 ? Math.sqrt(0.5) : 0.5)
                    .endRow();
        }
        AxisMatrix.Builder after = AxisMatrix.of(2L * n);
        for (int k = 0; k < n; k++) {
            double scale = Math.sqrt((k == 0 || k == n - 1 ? 1.0 : 2.0) / (n - 1));
            after.element(2L * k, scale).endRow();
        }
        return new Plan(before.build(), after.build(), period, true);
    }

    /** Kind 2: the even elements, then the odd ones backwards. */
    private static Plan second(int n) {
        AxisMatrix.Builder before = AxisMatrix.of(n);
        for (int j = 0; j < n; j++) {
            before.element(2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1, 1).endRow();
        }
        AxisMatrix.Builder after = AxisMatrix.of(2L * (n / 2 + 1));
        for (int k = 0; k < n; k++) {
            double scale = Math.sqrt((k == 0 ? 1.0 : 2.0) / n);
            int bin = Math.min(k, n - k);
            double sine = scale * Twiddles.sin(k, 4L * n);
            after.element(2L * bin, scale * Twiddles.cos(k, 4L * n))
                    .element(2L * bin + 1, bin == k ? sine : -sine)
                    .endRow();
        }
        return new Plan(before.build(), after.build(), n, true);
    }

    /** Kind 4: the line times roots of unity, and as many zeros. */
    private static Plan fourth(int n) {
        AxisMatrix.Builder before = AxisMatrix.of(n);
        for (int j = 0; j < 2 * n; j++) {
            if (j < n) {
                before.element(j, Twiddles.cos(j, 4L * n)).endRow();
                before.element(j, -Twiddles.sin(j, 4L * n)).endRow();
            } else {
                before.endRow().endRow();
            }
        }
        AxisMatrix.Builder after = AxisMatrix.of(4L * n);
        double scale = Math.sqrt(2.0 / n);
        for (int k = 0; k < n; k++) {
            after.element(2L * k, scale * Twiddles.cos(2L * k + 1, 8L * n))
                    .element(2L * k + 1, scale * Twiddles.sin(2L * k + 1, 8L * n))
                    .endRow();
        }
        return new Plan(before.build(), after.build(), 2 * n, false);
    }

    private static AxisMatrix halved(AxisMatrix matrix, int period) {
        AxisMatrix.Builder half = AxisMatrix.of(matrix.columnCount());
        for (int row = 0; row < matrix.rowCount(); row++) {
            boolean alone = row / 2 == 0 || row / 2 * 2 == period;
            for (int e = matrix.start(row); e < matrix.start(row + 1); e++) {
                half.element(matrix.column(e), (alone ? 1 : 0.5) * matrix.value(e));
            }
            half.endRow();
        }
        return half.build();
    }

    /**
     * Transforms each line, in the order of its {@link Compute}.
     *
     * @param x outer × length × inner elements of the type
     * @param y as many, which may be x itself
     * @throws IllegalArgumentException if a buffer has another type or size
     */
    public void forward(Buffer x, Buffer y) {
        nonNull(x, "Dct.forward", "x");
        nonNull(y, "Dct.forward", "y");
        run("forward", transposed, x, y);
    }

    /**
     * Transforms each line back, in the order of its {@link Compute}.
     *
     * @param x outer × length × inner elements of the type
     * @param y as many, which may be x itself
     * @throws IllegalArgumentException if a buffer has another type or size
     */
    public void inverse(Buffer x, Buffer y) {
        nonNull(x, "Dct.inverse", "x");
        nonNull(y, "Dct.inverse", "y");
        run("inverse", !transposed, x, y);
    }

    private void run(String direction, boolean backwards, Buffer x, Buffer y) {
        long count = outer * length * (type.isComplex() ? inner / 2 : inner);
        for (Buffer buffer : Arrays.asList(x, y)) {
            if (buffer.type() != type || buffer.count() != count) {
                throw new IllegalArgumentException(direction + " cosine transform of " + count + " " + type
                        + " elements: " + buffer + " is not as many of them");
            }
        }
        if (count == 0) {
            return;
        }
        Buffer from = type.isComplex() ? x.view(Compute.real(type)) : x;
        Buffer to = type.isComplex() ? y.view(Compute.real(type)) : y;
        if (inner == 1) {
            lines(backwards, from, to);
            return;
        }
        compute.transpose(outer, length, inner, 1, from, line);
        lines(backwards, line, line);
        compute.transpose(outer, inner, length, 1, line, to);
    }

    private void lines(boolean backwards, Buffer x, Buffer y) {
        long lines = outer * inner;
        Buffer in = input.type().isComplex() ? input.view(x.type()) : input;
        Buffer bins = spectrum.view(x.type());
        if (backwards) {
            compute.multiply(afterTransposed, lines, 1, x, bins);
            fft.inverse(spectrum, input);
            compute.multiply(beforeTransposed, lines, 1, in, y);
        } else {
            compute.multiply(before, lines, 1, x, in);
            fft.forward(input, spectrum);
            compute.multiply(after, lines, 1, bins, y);
        }
    }

    /** Gives back what the transform holds; closing twice is fine. */
    @Override
    public void close() {
        fft.close();
    }
}
