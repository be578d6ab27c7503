// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;

/** Matrix products by kernels written in Java, where there is no BLAS for the GPU. */
final class KernelBlas implements Blas {
    private final KernelRunner runner;

    KernelBlas(KernelRunner runner) {
        this.runner = runner;
    }

    @Override
    public String name() {
        return "Java kernels";
    }

    @Override
    public void gemm(
            Transpose transpose, long m, long n, long k, double alpha, Buffer a, Buffer b, double beta, Buffer c) {
        Operands.matrices(1, m, n, k, a, b, c);
        if (c.count() == 0) {
            return;
        }
        runner.run(
                "Matrix.gemm",
                c.count(),
                new Object[] {Operands.wide(c), a.type().isComplex(), c.type().isComplex()},
                transpose != Transpose.NONE,
                transpose == Transpose.CONJUGATE,
                m,
                n,
                k,
                alpha,
                a,
                b,
                beta,
                c);
    }
}
