// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Matrix products in Java, where the machine has no BLAS. They compute whole rows of C at a time, along the memory of
 * all three matrices.
 */
final class JavaBlas implements Blas {
    @Override
    public String name() {
        return "Java";
    }

    @Override
    public void gemm(
            Transpose transpose, long m, long n, long k, double alpha, Buffer a, Buffer b, double beta, Buffer c) {
        Operands.matrices(1, m, n, k, a, b, c);
        if (c.type().isComplex() && a.type() == Compute.real(c.type())) {
            // The parts of complex numbers are columns of their own.
            gemm(transpose, m, 2 * n, k, alpha, a, parts(b), beta, parts(c));
            return;
        }
        HostArray left = onHost(a);
        HostArray right = onHost(b);
        HostArray result = onHost(c);
        scale(result, beta);
        if (alpha == 0 || m == 0 || n == 0 || k == 0) {
            return;
        }
        switch (c.type()) {
            case FLOAT64 -> real64(transpose, m, n, k, alpha, left.segment(), right.segment(), result.segment());
            case FLOAT32 -> real32(transpose, m, n, k, alpha, left.segment(), right.segment(), result.segment());
            default -> complex(transpose, m, n, k, alpha, left, right, result);
        }
    }

    private static Buffer parts(Buffer buffer) {
        HostArray array = onHost(buffer);
        return HostArray.wrap(array.segment(), Compute.real(array.type()));
    }

    private static HostArray onHost(Buffer matrix) {
        if (!(matrix instanceof HostArray array)) {
            throw new IllegalArgumentException("gemm: " + matrix + " is not in host memory");
        }
        return array;
    }

    private static void scale(HostArray c, double beta) {
        if (beta == 0) {
            c.fill(0);
        } else if (beta != 1) {
            long parts = c.type().isComplex() ? 2 * c.count() : c.count();
            if (Compute.real(c.type()) == DataType.FLOAT64) {
                VectorLoops.scale64(beta, c.segment(), parts);
            } else {
                VectorLoops.scale32((float) beta, c.segment(), parts);
            }
        }
    }

    private static void real64(
            Transpose transpose,
            long m,
            long n,
            long k,
            double alpha,
            MemorySegment a,
            MemorySegment b,
            MemorySegment c) {
        if (n == 1 && transpose == Transpose.NONE) {
            for (long i = 0; i < m; i++) {
                double sum = VectorLoops.dot64(a, i * k, b, 0, k);
                c.setAtIndex(JAVA_DOUBLE, i, c.getAtIndex(JAVA_DOUBLE, i) + alpha * sum);
            }
            return;
        }
        if (n == 1) {
            for (long p = 0; p < k; p++) {
                double factor = alpha * b.getAtIndex(JAVA_DOUBLE, p);
                VectorLoops.axpy64(factor, a, p * m, c, 0, m);
            }
            return;
        }
        for (long i = 0; i < m; i++) {
            for (long p = 0; p < k; p++) {
                long at = transpose == Transpose.NONE ? i * k + p : p * m + i;
                VectorLoops.axpy64(alpha * a.getAtIndex(JAVA_DOUBLE, at), b, p * n, c, i * n, n);
            }
        }
    }

    private static void real32(
            Transpose transpose,
            long m,
            long n,
            long k,
            double alpha,
            MemorySegment a,
            MemorySegment b,
            MemorySegment c) {
        if (n == 1 && transpose == Transpose.NONE) {
            for (long i = 0; i < m; i++) {
                double sum = VectorLoops.dot32(a, i * k, b, 0, k);
                c.setAtIndex(JAVA_FLOAT, i, (float) (c.getAtIndex(JAVA_FLOAT, i) + alpha * sum));
            }
            return;
        }
        if (n == 1) {
            for (long p = 0; p < k; p++) {
                float factor = (float) alpha * b.getAtIndex(JAVA_FLOAT, p);
                VectorLoops.axpy32(factor, a, p * m, c, 0, m);
            }
            return;
        }
        for (long i = 0; i < m; i++) {
            for (long p = 0; p < k; p++) {
                long at = transpose == Transpose.NONE ? i * k + p : p * m + i;
                VectorLoops.axpy32((float) alpha * a.getAtIndex(JAVA_FLOAT, at), b, p * n, c, i * n, n);
            }
        }
    }

    private static void complex(
            Transpose transpose, long m, long n, long k, double alpha, HostArray a, HostArray b, HostArray c) {
        double sign = transpose == Transpose.CONJUGATE ? -1 : 1;
        for (long i = 0; i < m; i++) {
            for (long j = 0; j < n; j++) {
                double re = 0;
                double im = 0;
                for (long p = 0; p < k; p++) {
                    long at = transpose == Transpose.NONE ? i * k + p : p * m + i;
                    double ar = a.getReal(at);
                    double ai = sign * a.getImaginary(at);
                    double br = b.getReal(p * n + j);
                    double bi = b.getImaginary(p * n + j);
                    re += ar * br - ai * bi;
                    im += ar * bi + ai * br;
                }
                long to = i * n + j;
                c.setComplex(to, c.getReal(to) + alpha * re, c.getImaginary(to) + alpha * im);
            }
        }
    }
}
