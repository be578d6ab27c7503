// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

import static org.comm4j.kernel.lang.Intrinsics.__byte_perm;
import static org.comm4j.kernel.lang.Intrinsics.__expf;
import static org.comm4j.kernel.lang.Intrinsics.__fdividef;
import static org.comm4j.kernel.lang.Intrinsics.__sincosf;
import static org.comm4j.kernel.lang.RoundingIntrinsics.__fadd_rn;
import static org.comm4j.kernel.lang.RoundingIntrinsics.__fmaf_rd;
import static org.comm4j.kernel.lang.RoundingIntrinsics.__fmul_rn;

import org.comm4j.kernel.lang.DoubleMath;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.FloatMath;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelMath;

/** Kernels that compute with CUDA's functions, in each of the arithmetics. */
final class MathKernels {
    private MathKernels() {}

    @Kernel
    static void contracted(F32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, x.get(i) * x.get(i + 1) + x.get(i + 2));
    }

    @Kernel(math = Kernel.Math.EXACT)
    static void exact(F32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, x.get(i) * x.get(i + 1) + x.get(i + 2));
    }

    @Kernel(math = Kernel.Math.FAST)
    static void fast(F32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, FloatMath.exp(x.get(i)) + FloatMath.pow(x.get(i + 1), x.get(i + 2)));
    }

    /** Not fused in any arithmetic. */
    @Kernel
    static void separate(F32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, __fadd_rn(__fmul_rn(x.get(i), x.get(i + 1)), x.get(i + 2)));
    }

    @Kernel
    static void single(F32Ptr x) {
        int i = GlobalIdx.x();
        x.set(i, (float) Math.exp(x.get(i)) + (float) Math.pow(x.get(i), 1.5f) + Math.max(x.get(i), x.get(i + 1)));
    }

    @Kernel
    static void several(F32Ptr x, F64Ptr y, I32Ptr n) {
        int i = GlobalIdx.x();
        FloatMath.SinCos both = FloatMath.sincos(x.get(i));
        FloatMath.Fraction fraction = FloatMath.frexp(both.sin());
        FloatMath.Quotient quotient = FloatMath.remquo(both.cos(), x.get(i));
        DoubleMath.Parts parts = DoubleMath.modf(y.get(i));
        x.set(
                i,
                fraction.fraction() + quotient.remainder() + __sincosf(x.get(i)).cos());
        y.set(
                i,
                parts.fraction() + parts.whole() + DoubleMath.sincospi(y.get(i)).sin());
        n.set(i, fraction.exponent() + quotient.quotient());
    }

    @Kernel
    static void special(F32Ptr x, F64Ptr y) {
        int i = GlobalIdx.x();
        x.set(i, FloatMath.erf(x.get(i)) + FloatMath.tgamma(x.get(i)) + FloatMath.norm(3, x) + __expf(x.get(i)));
        y.set(i, DoubleMath.normcdfinv(y.get(i)) + DoubleMath.rhypot(y.get(i), 2));
    }

    @Kernel
    static void bits(I32Ptr n, F32Ptr x) {
        int i = GlobalIdx.x();
        n.set(i, __byte_perm(n.get(i), n.get(i + 1), 0x3214));
        x.set(i, __fdividef(__fmaf_rd(x.get(i), 3, 1), x.get(i + 1)));
    }

    /** Class whose kernels are exact unless they say otherwise. */
    @KernelMath(Kernel.Math.EXACT)
    static final class Exact {
        private Exact() {}

        /** Class within it. */
        static final class Inner {
            private Inner() {}

            @Kernel
            static void product(F32Ptr x) {
                exact(x);
            }
        }

        @Kernel(math = Kernel.Math.CUDA)
        static void own(F32Ptr x) {
            exact(x);
        }
    }
}
