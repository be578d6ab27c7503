// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.math.Numbers.Factor;
import org.comm4j.math.ReductionKernels.Kind;
import org.comm4j.math.ReductionKernels.Part;

/** {@link PointTerm}s, an element or a group for each turn of a thread. */
final class PointKernels {
    /** The vectors of a term; those that are missing are any other. */
    record Operand(Ptr x, Ptr y, Ptr target, Ptr second) {}

    /** The factors of a term. */
    record Factors(Factor a, Factor b, Factor c, Factor d, Factor e, Factor active, Factor step) {}

    private PointKernels() {}

    /**
     * Computes a term.
     *
     * @param count operands of a group
     * @param target whether there are results
     * @param second whether there are second results
     * @param n elements
     * @param partial room for two numbers of each block
     * @param arrived how many blocks have ended: 0 at first, and in the end
     * @param result of the sums
     */
    @Kernel(maxThreads = ReductionKernels.THREADS)
    static void run(
            @Constant int count,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean radial,
            @Constant boolean dual,
            @Constant boolean target,
            @Constant boolean second,
            @Constant boolean sums,
            @Constant PointFunction map,
            @Constant PointFunction measure,
            long n,
            Operand first,
            Operand other1,
            Operand other2,
            Operand other3,
            Factors factors,
            F64Ptr parameters,
            F64Ptr partial,
            I32Ptr arrived,
            F64Ptr result,
            boolean add) {
        Part sum = new Part(0, 0);
        long end = factors.active.real() == 0 ? 0 : n;
        long stride = (long) GridDim.x() * ReductionKernels.THREADS;
        for (long i = GlobalIdx.xLong(); i < end; i += stride) {
            Part term = element(
                    count,
                    wide,
                    complex,
                    radial,
                    dual,
                    target,
                    second,
                    sums,
                    map,
                    measure,
                    i,
                    first,
                    other1,
                    other2,
                    other3,
                    factors,
                    parameters);
            sum = new Part(sum.re() + term.re(), sum.im() + term.im());
        }
        if (!sums) {
            return;
        }
        Part block = ReductionKernels.ofBlock(Kind.VDOT, sum);
        int blocks = GridDim.x();
        if (blocks == 1) {
            write(result, add, block);
            return;
        }
        if (ThreadIdx.x() == 0) {
            partial.set(2L * BlockIdx.x(), block.re());
            partial.set(2L * BlockIdx.x() + 1, block.im());
        }
        if (!Grid.isLastBlock(arrived)) {
            return;
        }
        Part all = new Part(0, 0);
        for (int i = ThreadIdx.x(); i < blocks; i += ReductionKernels.THREADS) {
            all = new Part(all.re() + partial.get(2L * i), all.im() + partial.get(2L * i + 1));
        }
        write(result, add, ReductionKernels.ofBlock(Kind.VDOT, all));
    }

    /**
     * Computes a term with sums of {@link ExactSums}.
     *
     * @param exact memory of a sum: the real part takes the measures, the imaginary part the squared changes
     */
    @Kernel(maxThreads = ReductionKernels.THREADS)
    static void exact(
            @Constant int count,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean radial,
            @Constant boolean dual,
            @Constant boolean target,
            @Constant boolean second,
            @Constant PointFunction map,
            @Constant PointFunction measure,
            long n,
            Operand first,
            Operand other1,
            Operand other2,
            Operand other3,
            Factors factors,
            F64Ptr parameters,
            I64Ptr exact) {
        I64Ptr digits = I64Ptr.of(Shared.i64(ExactKernels.SHARED));
        ExactKernels.clear(digits);
        int real = ExactKernels.real();
        int imaginary = ExactKernels.imaginary();
        ExactKernels.Split measures = ExactKernels.none();
        ExactKernels.Split changes = measures;
        int trips = 0;
        long end = factors.active.real() == 0 ? 0 : n;
        long stride = (long) GridDim.x() * ReductionKernels.THREADS;
        for (long i = GlobalIdx.xLong(); i < end; i += stride) {
            Part term = element(
                    count,
                    wide,
                    complex,
                    radial,
                    dual,
                    target,
                    second,
                    true,
                    map,
                    measure,
                    i,
                    first,
                    other1,
                    other2,
                    other3,
                    factors,
                    parameters);
            measures = ExactKernels.plus(measures, term.re(), digits, real);
            changes = ExactKernels.plus(changes, term.im(), digits, imaginary);
            if (++trips == ExactKernels.TERMS) {
                trips = 0;
                measures = ExactKernels.flush(measures, digits, real);
                changes = ExactKernels.flush(changes, digits, imaginary);
            }
        }
        ExactKernels.Split _ = ExactKernels.flush(measures, digits, real);
        ExactKernels.Split _ = ExactKernels.flush(changes, digits, imaginary);
        ExactKernels.addTo(exact, digits);
    }

    /** Maps an element or a group, and returns its measure and the square of its change. */
    private static Part element(
            @Constant int count,
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean radial,
            @Constant boolean dual,
            @Constant boolean target,
            @Constant boolean second,
            @Constant boolean sums,
            @Constant PointFunction map,
            @Constant PointFunction measure,
            long i,
            Operand first,
            Operand other1,
            Operand other2,
            Operand other3,
            Factors factors,
            F64Ptr parameters) {
        double a = factors.a.real();
        double b = factors.b.real();
        double step = factors.step.real();
        Part u0 = combination(wide, complex, first, i, a, b);
        Part u1 = count > 1 ? combination(wide, complex, other1, i, a, b) : new Part(0, 0);
        Part u2 = count > 2 ? combination(wide, complex, other2, i, a, b) : new Part(0, 0);
        Part u3 = count > 3 ? combination(wide, complex, other3, i, a, b) : new Part(0, 0);
        double value = count > 1
                ? Math.sqrt(square(u0) + square(u1) + (square(u2) + square(u3)))
                : complex ? Complex.modulus(u0.re(), u0.im()) : radial ? Math.abs(u0.re()) : u0.re();
        double image =
                dual ? value - step * map.of(value / step, 1 / step, parameters) : map.of(value, step, parameters);
        double ratio = value == 0 ? 0 : image / value;
        boolean scaled = count > 1 || complex;
        Part n0 = scaled
                ? new Part(u0.re() * ratio, u0.im() * ratio)
                : new Part(radial && u0.re() < 0 ? -image : image, 0);
        Part change = new Part(finish(wide, complex, target, second, sums, first, i, u0, n0, factors), 0);
        if (count > 1) {
            Part n1 = new Part(u1.re() * ratio, u1.im() * ratio);
            change = new Part(change.re() + finish(wide, complex, target, second, sums, other1, i, u1, n1, factors), 0);
        }
        if (count > 2) {
            Part n2 = new Part(u2.re() * ratio, u2.im() * ratio);
            change = new Part(change.re() + finish(wide, complex, target, second, sums, other2, i, u2, n2, factors), 0);
        }
        if (count > 3) {
            Part n3 = new Part(u3.re() * ratio, u3.im() * ratio);
            change = new Part(change.re() + finish(wide, complex, target, second, sums, other3, i, u3, n3, factors), 0);
        }
        return new Part(sums ? measure.of(Numbers.round(wide, image), step, parameters) : 0, change.re());
    }

    private static void write(F64Ptr result, boolean add, Part sum) {
        if (ThreadIdx.x() == 0) {
            result.set(0, add ? result.get(0) + sum.re() : sum.re());
            result.set(1, add ? result.get(1) + sum.im() : sum.im());
        }
    }

    private static double square(Part u) {
        return u.re() * u.re() + u.im() * u.im();
    }

    private static double real(@Constant boolean wide, @Constant boolean complex, Ptr p, long i) {
        long at = complex ? 2 * i : i;
        return Numbers.get(wide, p, at);
    }

    private static double imaginary(@Constant boolean wide, @Constant boolean complex, Ptr p, long i) {
        return complex ? Numbers.get(wide, p, 2 * i + 1) : 0;
    }

    private static Part combination(
            @Constant boolean wide, @Constant boolean complex, Operand operand, long i, double a, double b) {
        double re = a == 0 ? 0 : a * real(wide, complex, operand.x, i);
        double im = a == 0 ? 0 : a * imaginary(wide, complex, operand.x, i);
        return b == 0
                ? new Part(re, im)
                : new Part(re + b * real(wide, complex, operand.y, i), im + b * imaginary(wide, complex, operand.y, i));
    }

    /** Writes what an operand takes, and returns the square of its change. */
    private static double finish(
            @Constant boolean wide,
            @Constant boolean complex,
            @Constant boolean target,
            @Constant boolean second,
            @Constant boolean sums,
            Operand operand,
            long i,
            Part u,
            Part n,
            Factors factors) {
        boolean reads = target && (second || sums);
        double re = reads ? real(wide, complex, operand.target, i) : 0;
        double im = reads ? imaginary(wide, complex, operand.target, i) : 0;
        if (second) {
            double c = factors.c.real();
            double d = factors.d.real();
            double e = factors.e.real();
            set(wide, complex, operand.second, i, c * n.re() + d * re + e * u.re(), c * n.im() + d * im + e * u.im());
        }
        if (target) {
            set(wide, complex, operand.target, i, n.re(), n.im());
        }
        double changeRe = Numbers.round(wide, n.re()) - re;
        double changeIm = Numbers.round(wide, n.im()) - im;
        return changeRe * changeRe + changeIm * changeIm;
    }

    private static void set(@Constant boolean wide, @Constant boolean complex, Ptr p, long i, double re, double im) {
        if (complex) {
            Numbers.set(wide, p, 2 * i, re);
            Numbers.set(wide, p, 2 * i + 1, im);
        } else {
            Numbers.set(wide, p, i, re);
        }
    }
}
