// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Double2;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.math.StencilKernels.Axis;

/** A pack of numbers in their own precision: a variable of a loop that is converted costs more than its sum. */
sealed interface Cells {
    /** Returns this plus factors times numbers, where a factor is not 0: what is beyond the ends may be anything. */
    Cells add(Cells factors, Cells numbers);

    /** Returns the pack that is {@code distance} numbers behind this one, between two others. */
    Cells neighbours(Cells left, Cells right, int distance);

    void store(Ptr y, long at);

    record Two(double x, double y) implements Cells {
        private static double add(double sum, double factor, double number) {
            return factor != 0 ? sum + factor * number : sum;
        }

        private static double pick(Two a, Two b, Two c, int i) {
            return i == -2 ? a.x : i == -1 ? a.y : i == 0 ? b.x : i == 1 ? b.y : i == 2 ? c.x : c.y;
        }

        @Override
        public Two add(Cells factors, Cells numbers) {
            Two f = (Two) factors;
            Two n = (Two) numbers;
            return new Two(add(x, f.x, n.x), add(y, f.y, n.y));
        }

        @Override
        public Two neighbours(Cells left, Cells right, int distance) {
            Two a = (Two) left;
            Two c = (Two) right;
            return new Two(pick(a, this, c, distance), pick(a, this, c, distance + 1));
        }

        @Override
        public void store(Ptr to, long at) {
            to.asF64().set2(at, new Double2(x, y));
        }
    }

    record Four(float x, float y, float z, float w) implements Cells {
        private static float add(float sum, float factor, float number) {
            return factor != 0 ? sum + factor * number : sum;
        }

        private static float of(Four pack, int i) {
            return i == 0 ? pack.x : i == 1 ? pack.y : i == 2 ? pack.z : pack.w;
        }

        private static float pick(Four a, Four b, Four c, int i) {
            return i < 0 ? of(a, i + 4) : i < 4 ? of(b, i) : of(c, i - 4);
        }

        @Override
        public Four add(Cells factors, Cells numbers) {
            Four f = (Four) factors;
            Four n = (Four) numbers;
            return new Four(add(x, f.x, n.x), add(y, f.y, n.y), add(z, f.z, n.z), add(w, f.w, n.w));
        }

        @Override
        public Four neighbours(Cells left, Cells right, int distance) {
            Four a = (Four) left;
            Four c = (Four) right;
            return new Four(
                    pick(a, this, c, distance),
                    pick(a, this, c, distance + 1),
                    pick(a, this, c, distance + 2),
                    pick(a, this, c, distance + 3));
        }

        @Override
        public void store(Ptr to, long at) {
            to.asF32().set4(at, new Float4(x, y, z, w));
        }
    }

    static Cells load(@Constant boolean wide, Ptr x, long at) {
        if (wide) {
            Double2 two = x.asF64().get2(at);
            return new Two(two.x(), two.y());
        }
        Float4 four = x.asF32().get4(at);
        return new Four(four.x(), four.y(), four.z(), four.w());
    }

    /** Returns the coefficient of each number of a pack for its neighbour number {@code k}. */
    static Cells coefficients(@Constant boolean wide, @Constant int step, Axis axis, long c, int k) {
        if (wide) {
            return new Two(coefficient(axis, c / step, k), coefficient(axis, (c + 1) / step, k));
        }
        return new Four(
                (float) coefficient(axis, c / step, k),
                (float) coefficient(axis, (c + 1) / step, k),
                (float) coefficient(axis, (c + 2) / step, k),
                (float) coefficient(axis, (c + 3) / step, k));
    }

    static Cells all(@Constant boolean wide, double number) {
        if (wide) {
            return new Two(number, number);
        }
        float same = (float) number;
        return new Four(same, same, same, same);
    }

    static double coefficient(Axis axis, long i, int k) {
        return axis.table().get(axis.row(i, 1) + k);
    }
}
