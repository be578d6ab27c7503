// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;

/** Products of matrices where there is no BLAS, an element of the result for each thread. */
final class MatrixKernels {
    private MatrixKernels() {}

    /** C = α op(A) B + β C, with the letters of BLAS; A may be real where the others are complex. */
    @Kernel
    static void gemm(
            @Constant boolean wide,
            @Constant boolean complexMatrix,
            @Constant boolean complex,
            boolean transpose,
            boolean conjugate,
            long m,
            long n,
            long k,
            double alpha,
            Ptr a,
            Ptr b,
            double beta,
            Ptr c) {
        long i = GlobalIdx.xLong();
        if (i >= m * n) {
            return;
        }
        long row = i / n;
        long column = i - row * n;
        double re = 0;
        double im = 0;
        for (long p = 0; p < k; p++) {
            long left = (transpose ? p * m + row : row * k + p) * (complexMatrix ? 2 : 1);
            long right = (p * n + column) * (complex ? 2 : 1);
            double ar = Numbers.get(wide, a, left);
            double ai = complexMatrix ? Numbers.get(wide, a, left + 1) : 0;
            double br = Numbers.get(wide, b, right);
            re += ar * br;
            if (complex) {
                double bi = Numbers.get(wide, b, right + 1);
                double sign = conjugate ? -ai : ai;
                re -= sign * bi;
                im += ar * bi + sign * br;
            }
        }
        long to = complex ? 2 * i : i;
        write(wide, c, to, alpha * re, beta);
        if (complex) {
            write(wide, c, to + 1, alpha * im, beta);
        }
    }

    private static void write(@Constant boolean wide, Ptr c, long i, double product, double beta) {
        double sum = beta == 0 ? product : product + beta * Numbers.get(wide, c, i);
        Numbers.set(wide, c, i, sum);
    }
}
