// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.math.Numbers.Factor;
import org.comm4j.math.Numbers.Pack;

/**
 * Vector algebra, a pack of 16 bytes for each thread. {@code n} counts numbers: a complex element has two. The
 * constants say the precision, whether numbers are pairs, and whether all vectors begin at a multiple of 16 bytes.
 */
final class VectorKernels {
    private VectorKernels() {}

    @Kernel
    static void fill(
            @Constant boolean wide, @Constant boolean complex, @Constant boolean aligned, long n, Factor value, Ptr y) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i < n) {
            double re = value.real();
            double im = complex ? value.imaginary() : re;
            Numbers.store(wide, aligned, y, i, n, new Pack(re, im, re, im));
        }
    }

    /** y = a x + b y. */
    @Kernel
    static void axpby(
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean aligned,
            long n,
            Factor a,
            Ptr x,
            Factor b,
            Ptr y) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i >= n) {
            return;
        }
        double ar = a.real();
        double ai = complex ? a.imaginary() : 0;
        double br = b.real();
        double bi = complex ? b.imaginary() : 0;
        if (ar == 0 && ai == 0 && br == 1 && bi == 0) {
            return;
        }
        Pack none = new Pack(0, 0, 0, 0);
        Pack u = ar != 0 || ai != 0 ? Numbers.load(wide, aligned, x, i, n, 0) : none;
        Pack v = br != 0 || bi != 0 ? Numbers.load(wide, aligned, y, i, n, 0) : none;
        Numbers.store(wide, aligned, y, i, n, combination(wide, complex, ar, ai, br, bi, u, v));
    }

    /** Returns a u + b v. */
    static Pack combination(
            @Constant boolean wide,
            @Constant boolean complex,
            double ar,
            double ai,
            double br,
            double bi,
            Pack u,
            Pack v) {
        if (complex && (ai != 0 || bi != 0)) {
            return Numbers.plus(
                    wide, product(wide, new Pack(ar, ai, ar, ai), u), product(wide, new Pack(br, bi, br, bi), v));
        }
        return new Pack(
                sum(wide, ar, u.x(), br, v.x()),
                sum(wide, ar, u.y(), br, v.y()),
                sum(wide, ar, u.z(), br, v.z()),
                sum(wide, ar, u.w(), br, v.w()));
    }

    private static double sum(@Constant boolean wide, double a, double x, double b, double y) {
        return Numbers.plus(wide, Numbers.times(wide, a, x), Numbers.times(wide, b, y));
    }

    /** Of complex numbers. */
    private static Pack product(@Constant boolean wide, Pack a, Pack b) {
        return new Pack(
                sum(wide, a.x(), b.x(), -a.y(), b.y()),
                sum(wide, a.x(), b.y(), a.y(), b.x()),
                sum(wide, a.z(), b.z(), -a.w(), b.w()),
                sum(wide, a.z(), b.w(), a.w(), b.z()));
    }

    /** z = x y. */
    @Kernel
    static void multiply(
            @Constant boolean wide, @Constant boolean complex, @Constant boolean aligned, long n, Ptr x, Ptr y, Ptr z) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i >= n) {
            return;
        }
        Pack u = Numbers.load(wide, aligned, x, i, n, 0);
        Pack v = Numbers.load(wide, aligned, y, i, n, 0);
        Pack product = complex
                ? product(wide, u, v)
                : new Pack(
                        Numbers.times(wide, u.x(), v.x()),
                        Numbers.times(wide, u.y(), v.y()),
                        Numbers.times(wide, u.z(), v.z()),
                        Numbers.times(wide, u.w(), v.w()));
        Numbers.store(wide, aligned, z, i, n, product);
    }

    /** y = the conjugate of the complex x. */
    @Kernel
    static void conjugate(@Constant boolean wide, @Constant boolean aligned, long n, Ptr x, Ptr y) {
        long i = GlobalIdx.xLong() * Numbers.lanes(wide);
        if (i < n) {
            Pack u = Numbers.load(wide, aligned, x, i, n, 0);
            Numbers.store(wide, aligned, y, i, n, new Pack(u.x(), -u.y(), u.z(), -u.w()));
        }
    }

    /**
     * y = x with another precision, or with imaginary parts of 0 where only y is complex; {@code n} counts elements.
     */
    @Kernel
    static void convert(
            @Constant boolean fromWide,
            @Constant boolean fromComplex,
            @Constant boolean toWide,
            @Constant boolean toComplex,
            long n,
            Ptr x,
            Ptr y) {
        long i = GlobalIdx.xLong();
        if (i >= n) {
            return;
        }
        long from = fromComplex ? 2 * i : i;
        double re = Numbers.get(fromWide, x, from);
        if (toComplex) {
            double im = fromComplex ? Numbers.get(fromWide, x, from + 1) : 0;
            Numbers.set(toWide, y, 2 * i, re);
            Numbers.set(toWide, y, 2 * i + 1, im);
        } else {
            Numbers.set(toWide, y, i, re);
        }
    }

    /** y = numbers {@code start}, {@code start + 1}, … of a seed; {@code n} counts elements. */
    @Kernel
    static void random(@Constant boolean wide, @Constant boolean complex, long n, long seed, long start, Ptr y) {
        long i = GlobalIdx.xLong();
        if (i >= n) {
            return;
        }
        long to = complex ? 2 * i : i;
        Numbers.set(wide, y, to, Philox.number(wide, seed, start + i, false));
        if (complex) {
            Numbers.set(wide, y, to + 1, Philox.number(wide, seed, start + i, true));
        }
    }
}
