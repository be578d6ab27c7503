// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.List;
import org.comm4j.core.Buffer;

/**
 * Products of dense matrices, stored by rows: the part of BLAS that linear operators need. Types are {@code FLOAT32},
 * {@code FLOAT64}, {@code COMPLEX64} and {@code COMPLEX128}, the same for all operands of a call; A may also be real,
 * of the same precision, where B and C are complex.
 */
public interface Blas {
    /** Returns the name of the implementation, such as {@code OpenBLAS 0.3.34}. */
    String name();

    /**
     * Computes C = α op(A) B + β C (BLAS {@code gemm}), where op(A) is m × k, B is k × n and C is m × n. One column
     * makes it {@code gemv}.
     *
     * @param transpose of A, which is stored as k × m unless it is {@link Transpose#NONE}
     * @param a the matrix A, its rows one behind the other
     * @param b the matrix B, its rows one behind the other
     * @param c the matrix C, its rows one behind the other; not read where β is 0
     * @throws IllegalArgumentException if the types differ, or if a buffer's count is not that of its matrix
     */
    void gemm(Transpose transpose, long m, long n, long k, double alpha, Buffer a, Buffer b, double beta, Buffer c);

    /**
     * Computes C = α op(A) B + β C for matrices one behind the other, as many as {@code batch} (batched {@code gemm}):
     * the buffers hold all matrices of their name.
     *
     * @throws IllegalArgumentException if the types differ, or if a buffer's count is not that of its matrices
     */
    default void gemm(
            Transpose transpose,
            long batch,
            long m,
            long n,
            long k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c) {
        Operands.matrices(batch, m, n, k, a, b, c);
        for (long i = 0; i < batch; i++) {
            gemm(
                    transpose,
                    m,
                    n,
                    k,
                    alpha,
                    a.slice(i * m * k, m * k),
                    b.slice(i * k * n, k * n),
                    beta,
                    c.slice(i * m * n, m * n));
        }
    }

    /**
     * Computes A = α x yᵀ + A (BLAS {@code ger}, {@code geru}), where A is m × n. No element is conjugated.
     *
     * @param x of m elements
     * @param y of n elements
     * @param a the matrix A, its rows one behind the other
     * @throws IllegalArgumentException if the types differ, or if a buffer's count is not that of its vector or matrix
     */
    default void ger(long m, long n, double alpha, Buffer x, Buffer y, Buffer a) {
        gemm(Transpose.NONE, m, n, 1, alpha, x, y, 1, a);
    }

    /** Returns whether {@link #gemv} costs less than the products one by one. */
    default boolean isBatched() {
        return false;
    }

    /**
     * Computes y = op(A) x for matrices of one shape, whose vectors are one behind the other (batched {@code gemv}).
     *
     * @param transpose of each A, which is stored as k × m unless it is {@link Transpose#NONE}
     * @param m length of each y
     * @param k length of each x
     * @param matrices each in memory of its own
     * @throws IllegalArgumentException if the types differ, or if a buffer's count is not that of its matrix or vectors
     */
    default void gemv(Transpose transpose, long m, long k, List<Buffer> matrices, Buffer x, Buffer y) {
        for (int i = 0; i < matrices.size(); i++) {
            gemm(transpose, m, 1, k, 1, matrices.get(i), x.slice(i * k, k), 0, y.slice(i * m, m));
        }
    }
}
