// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Coefficient;
import org.comm4j.math.PointFunction;

/**
 * The constraint that at most r elements are not 0, which is not convex (PyProximal {@code L0Ball}): 0 there, ∞
 * elsewhere. Its map keeps the r elements of largest modulus, and of equal ones those that come first. Values and maps
 * are collective unless x is replicated. The map looks at one number on the host, so that no graph records it.
 */
public final class L0Ball extends Proximal {
    private static final PointFunction FROM = L0Ball::from;
    private static final PointFunction EQUAL = L0Ball::equal;
    private static final PointFunction COUNT = L0Ball::count;

    private final long most;

    private L0Ball(long most) {
        this.most = most;
    }

    /**
     * Returns the constraint.
     *
     * @param most elements that may differ from 0
     */
    public static L0Ball of(long most) {
        if (most < 0) {
            throw new IllegalArgumentException("L0Ball: " + most + " elements are less than 0");
        }
        return new L0Ball(most);
    }

    private static double from(double modulus, double level, F64Ptr none) {
        return modulus >= level ? modulus : 0 * modulus;
    }

    private static double equal(double modulus, double level, F64Ptr none) {
        return modulus == level ? 1 : 0 * modulus;
    }

    private static double count(double modulus, double none, F64Ptr same) {
        return modulus == 0 ? 0 : 1;
    }

    @Override
    public double value(Vector x) {
        return x.norm(0) <= most ? 0 : Double.POSITIVE_INFINITY;
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        long size = u.layout().size();
        Runnable keep;
        if (most >= size) {
            keep = () -> v.assign(u);
        } else if (most == 0) {
            Pointwise none =
                    Pointwise.of(Coefficient.ZERO, u, Coefficient.ZERO, u).into(v);
            keep = none;
        } else {
            OrderStatistic smallest = OrderStatistic.of(u, size - most);
            Dots kept = Dots.given(u.backend());
            Pointwise largest = Pointwise.of(u)
                    .radial(FROM, smallest.result(), null)
                    .into(v)
                    .sums(COUNT, kept, 0);
            keep = () -> {
                smallest.run();
                largest.run();
                long surplus = Math.round(kept.reduce().real(0)) - most;
                if (surplus > 0) {
                    drop(u, v, smallest.result(), surplus);
                }
            };
        }
        return new Step(update.around(u, keep, v), u, v);
    }

    /** Sets the last ones of equal elements to 0. */
    private static void drop(Vector u, Vector v, Coefficient level, long surplus) {
        long left = surplus;
        try (Vector marks = u.like()) {
            Pointwise.of(u).radial(EQUAL, level, null).into(marks).run();
            for (int i = marks.arrays().size() - 1; i >= 0 && left > 0; i--) {
                DistributedArray mark = marks.arrays().get(i);
                HostArray whole = mark.toHost();
                long first = whole.count();
                while (first > 0 && left > 0) {
                    first--;
                    left -= isZero(whole, first) ? 0 : 1;
                }
                clear(v.arrays().get(i), mark, first);
            }
        }
    }

    /** Clears the marked elements from a number of the whole array on. */
    private static void clear(DistributedArray array, DistributedArray mark, long first) {
        HostArray part = array.part().toHost();
        HostArray marked = mark.part().toHost();
        array.layout().runs(array.backend().rank(), (local, global, count) -> {
            for (long k = Math.max(0, first - global); k < count; k++) {
                if (!isZero(marked, local + k)) {
                    set0(part, local + k);
                }
            }
        });
        array.part().copyFrom(part);
    }

    private static boolean isZero(HostArray array, long i) {
        return array.type().isComplex() ? array.getReal(i) == 0 && array.getImaginary(i) == 0 : array.getDouble(i) == 0;
    }

    private static void set0(HostArray array, long i) {
        if (array.type().isComplex()) {
            array.setComplex(i, 0, 0);
        } else {
            array.setDouble(i, 0);
        }
    }
}
