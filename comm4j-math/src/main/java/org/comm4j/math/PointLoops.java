// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PointTerm} on a processor. Tiles of numbers go through arrays, one step after the other. A loop over memory
 * that does or leaves out each step by itself is compiled again and again, for a minute: compilers check the bounds of
 * what a step would access before the loop.
 */
final class PointLoops implements Runnable {
    private static final int TILE = 1024;

    private final PointTerm term;
    private final PointFunction map;
    private final @Nullable PointFunction measure;
    private final boolean wide;
    private final boolean complex;
    /** Whether the result is the combination itself, and no sums are wanted. */
    private final boolean plain;

    private final long count;
    private final MemorySegment[] x;
    private final MemorySegment[] y;
    private final @Nullable MemorySegment[] target;
    private final @Nullable MemorySegment[] second;
    private final F64Ptr parameters;
    /** A tile of each operand's combination. */
    private final double[][] combined;

    private final double[] values = new double[TILE];
    private final double[] images = new double[TILE];
    private final double[] squares = new double[TILE];
    private final double[] sums = new double[TILE];
    private final double[] old = new double[TILE];
    private final float[] floats;
    private double a;
    private double b;
    private double c;
    private double d;
    private double e;
    /** The sums without rounding; null for plain ones. */
    private final @Nullable ExactTile measures;

    private final @Nullable ExactTile changes;
    private double measured;
    private double changed;

    PointLoops(PointTerm term) {
        this.term = term;
        map = term.map();
        measure = term.measure();
        List<PointTerm.Operand> operands = term.operands();
        Buffer first = operands.getFirst().x();
        wide = Operands.wide(first);
        complex = first.type().isComplex();
        plain = map.equals(PointFunction.IDENTITY) && !term.shape().dual() && term.sums() == null;
        count = first.count();
        int size = operands.size();
        x = new MemorySegment[size];
        y = new MemorySegment[size];
        target = new MemorySegment[size];
        second = new MemorySegment[size];
        combined = new double[size][TILE];
        floats = new float[wide ? 0 : TILE];
        for (int k = 0; k < size; k++) {
            PointTerm.Operand operand = operands.get(k);
            x[k] = ((HostArray) operand.x()).segment();
            y[k] = ((HostArray) operand.y()).segment();
            target[k] = segment(operand.target());
            second[k] = segment(operand.second());
        }
        parameters = F64Ptr.of(term.parameters());
        PointTerm.Sums sums = term.sums();
        boolean exact = sums != null && sums.exact() != null;
        measures = exact ? new ExactTile() : null;
        changes = exact ? new ExactTile() : null;
    }

    private static @Nullable MemorySegment segment(@Nullable Buffer buffer) {
        return buffer == null ? null : ((HostArray) buffer).segment();
    }

    @Override
    public void run() {
        PointTerm.Factors factors = term.factors();
        a = factors.a().real();
        b = factors.b().real();
        c = factors.c().real();
        d = factors.d().real();
        e = factors.e().real();
        measured = 0;
        changed = 0;
        if (factors.active().real() != 0) {
            double step = term.step().real();
            if (plain) {
                combinations();
            } else if (x.length > 1 || complex) {
                groups(step);
            } else {
                numbers(step);
            }
        }
        PointTerm.Sums sums = term.sums();
        if (sums != null) {
            put(sums);
        }
    }

    private void put(PointTerm.Sums sums) {
        boolean add = sums.add();
        Scalar plain = sums.plain();
        Buffer exact = sums.exact();
        if (plain != null) {
            plain.set(add ? plain.real() + measured : measured, add ? plain.imaginary() + changed : changed);
        } else if (exact != null) {
            if (!add) {
                ((HostArray) exact).fill(0);
            }
            requireNonNull(measures).moveTo(exact, false);
            requireNonNull(changes).moveTo(exact, true);
        }
    }

    private void combinations() {
        long numbers = complex ? 2 * count : count;
        boolean signless = term.shape().radial() && !complex && x.length == 1;
        for (long at = 0; at < numbers; at += TILE) {
            int n = (int) Math.min(TILE, numbers - at);
            for (int k = 0; k < x.length; k++) {
                double[] u = combined[k];
                combine(k, at, n);
                for (int i = 0; signless && i < n; i++) {
                    // The modulus 0 has no sign to keep: -0 becomes 0.
                    u[i] += 0.0;
                }
                finish(k, at, n, u);
            }
        }
    }

    private void numbers(double step) {
        boolean radial = term.shape().radial();
        double[] u = combined[0];
        for (long at = 0; at < count; at += TILE) {
            int n = (int) Math.min(TILE, count - at);
            combine(0, at, n);
            for (int i = 0; i < n; i++) {
                values[i] = radial ? Math.abs(u[i]) : u[i];
            }
            images(n, step);
            if (radial) {
                for (int i = 0; i < n; i++) {
                    images[i] = u[i] < 0 ? -images[i] : images[i];
                }
            }
            finish(0, at, n, images);
            changes(squares, n);
        }
    }

    /** Groups of numbers at the same place, complex numbers or those of several operands, whose norm is mapped. */
    private void groups(double step) {
        int parts = complex ? 2 : 1;
        int most = TILE / parts;
        for (long at = 0; at < count; at += most) {
            int n = (int) Math.min(most, count - at);
            Arrays.fill(sums, 0, n, 0);
            for (int k = 0; k < x.length; k++) {
                combine(k, parts * at, parts * n);
                if (x.length > 1) {
                    addSquares(combined[k], n, parts, sums);
                }
            }
            for (int i = 0; i < n; i++) {
                values[i] =
                        x.length > 1 ? Math.sqrt(sums[i]) : Complex.modulus(combined[0][2 * i], combined[0][2 * i + 1]);
            }
            images(n, step);
            for (int i = 0; i < n; i++) {
                values[i] = values[i] == 0 ? 0 : images[i] / values[i];
            }
            Arrays.fill(sums, 0, n, 0);
            for (int k = 0; k < x.length; k++) {
                for (int i = 0; i < parts * n; i++) {
                    images[i] = combined[k][i] * values[i / parts];
                }
                finish(k, parts * at, parts * n, images);
                for (int i = 0; i < n; i++) {
                    sums[i] += parts == 1 ? squares[i] : squares[2 * i] + squares[2 * i + 1];
                }
            }
            changes(sums, n);
        }
    }

    private static void addSquares(double[] u, int n, int parts, double[] sums) {
        for (int i = 0; i < n; i++) {
            for (int part = 0; part < parts; part++) {
                double each = u[parts * i + part];
                sums[i] += each * each;
            }
        }
    }

    /** Computes what the values become, and adds their measures. */
    private void images(int n, double step) {
        boolean dual = term.shape().dual();
        for (int i = 0; i < n; i++) {
            images[i] = dual
                    ? values[i] - step * map.of(values[i] / step, 1 / step, parameters)
                    : map.of(values[i], step, parameters);
        }
        PointFunction function = measure;
        if (function != null) {
            for (int i = 0; i < n; i++) {
                double each = function.of(wide ? images[i] : (double) (float) images[i], step, parameters);
                if (measures == null) {
                    measured += each;
                } else {
                    measures.put(each);
                }
            }
        }
    }

    private void changes(double[] terms, int n) {
        for (int i = 0; i < n; i++) {
            if (changes == null) {
                changed += terms[i];
            } else {
                changes.put(terms[i]);
            }
        }
    }

    /** Computes an operand's a x + b y. */
    private void combine(int k, long at, int n) {
        double[] u = combined[k];
        if (a == 0) {
            Arrays.fill(u, 0, n, 0);
        } else {
            read(x[k], at, n, u);
            for (int i = 0; i < n; i++) {
                u[i] = a * u[i];
            }
        }
        if (b != 0) {
            read(y[k], at, n, old);
            for (int i = 0; i < n; i++) {
                u[i] = u[i] + b * old[i];
            }
        }
    }

    /** Writes what an operand takes, and computes the squares of its changes. */
    private void finish(int k, long at, int n, double[] next) {
        MemorySegment to = target[k];
        MemorySegment also = second[k];
        if (to == null) {
            Arrays.fill(old, 0, n, 0);
        } else if (!plain || also != null) {
            read(to, at, n, old);
        }
        if (to != null) {
            write(to, at, n, next);
        }
        for (int i = 0; i < n && !plain; i++) {
            double change = (wide ? next[i] : (double) (float) next[i]) - old[i];
            squares[i] = change * change;
        }
        if (also != null) {
            double[] u = combined[k];
            for (int i = 0; i < n; i++) {
                old[i] = c * next[i] + d * old[i] + e * u[i];
            }
            write(also, at, n, old);
        }
    }

    private void read(MemorySegment vector, long at, int n, double[] into) {
        if (wide) {
            MemorySegment.copy(vector, JAVA_DOUBLE, at * Double.BYTES, into, 0, n);
            return;
        }
        MemorySegment.copy(vector, JAVA_FLOAT, at * Float.BYTES, floats, 0, n);
        for (int i = 0; i < n; i++) {
            into[i] = floats[i];
        }
    }

    private void write(MemorySegment vector, long at, int n, double[] from) {
        if (wide) {
            MemorySegment.copy(from, 0, vector, JAVA_DOUBLE, at * Double.BYTES, n);
            return;
        }
        for (int i = 0; i < n; i++) {
            floats[i] = (float) from[i];
        }
        MemorySegment.copy(floats, 0, vector, JAVA_FLOAT, at * Float.BYTES, n);
    }
}
