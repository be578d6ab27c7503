// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.jspecify.annotations.Nullable;

/** A {@link PointTerm} on a processor. */
final class PointLoops implements Runnable {
    private final PointTerm term;
    private final PointFunction map;
    private final @Nullable PointFunction measure;
    private final boolean wide;
    private final boolean complex;
    private final long count;
    private final MemorySegment[] x;
    private final MemorySegment[] y;
    private final @Nullable MemorySegment[] target;
    private final @Nullable MemorySegment[] second;
    private final F64Ptr parameters;
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
        count = first.count();
        int size = operands.size();
        x = new MemorySegment[size];
        y = new MemorySegment[size];
        target = new MemorySegment[size];
        second = new MemorySegment[size];
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
            if (x.length > 1 || complex) {
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

    private void numbers(double step) {
        boolean radial = term.shape().radial();
        for (long i = 0; i < count; i++) {
            double u = combination(0, i);
            double value = radial ? Math.abs(u) : u;
            double image = image(value, step);
            measure(image, step);
            change(finish(0, i, u, radial && u < 0 ? -image : image));
        }
    }

    private void groups(double step) {
        int parts = complex ? 2 : 1;
        for (long i = 0; i < count; i++) {
            double value;
            if (x.length == 1) {
                value = Complex.modulus(combination(0, 2 * i), combination(0, 2 * i + 1));
            } else {
                double squares = 0;
                for (int k = 0; k < x.length; k++) {
                    for (int part = 0; part < parts; part++) {
                        double u = combination(k, parts * i + part);
                        squares += u * u;
                    }
                }
                value = Math.sqrt(squares);
            }
            double image = image(value, step);
            measure(image, step);
            double ratio = value == 0 ? 0 : image / value;
            double squares = 0;
            for (int k = 0; k < x.length; k++) {
                double square = 0;
                for (int part = 0; part < parts; part++) {
                    double u = combination(k, parts * i + part);
                    square += finish(k, parts * i + part, u, u * ratio);
                }
                squares += square;
            }
            change(squares);
        }
    }

    private double image(double value, double step) {
        return term.shape().dual()
                ? value - step * map.of(value / step, 1 / step, parameters)
                : map.of(value, step, parameters);
    }

    private void measure(double image, double step) {
        if (measure != null) {
            double term = measure.of(wide ? image : (double) (float) image, step, parameters);
            if (measures == null) {
                measured += term;
            } else {
                measures.put(term);
            }
        }
    }

    private void change(double square) {
        if (changes == null) {
            changed += square;
        } else {
            changes.put(square);
        }
    }

    private double combination(int k, long at) {
        double u = a == 0 ? 0 : a * get(x[k], at);
        return b == 0 ? u : u + b * get(y[k], at);
    }

    /** Writes what an operand takes, and returns the square of its change. */
    private double finish(int k, long at, double u, double n) {
        MemorySegment to = target[k];
        MemorySegment also = second[k];
        double old = 0;
        if (to != null) {
            old = get(to, at);
            set(to, at, n);
        }
        if (also != null) {
            set(also, at, c * n + d * old + e * u);
        }
        double change = (wide ? n : (double) (float) n) - old;
        return change * change;
    }

    private double get(MemorySegment vector, long at) {
        return wide ? vector.getAtIndex(JAVA_DOUBLE, at) : vector.getAtIndex(JAVA_FLOAT, at);
    }

    private void set(MemorySegment vector, long at, double value) {
        if (wide) {
            vector.setAtIndex(JAVA_DOUBLE, at, value);
        } else {
            vector.setAtIndex(JAVA_FLOAT, at, (float) value);
        }
    }
}
