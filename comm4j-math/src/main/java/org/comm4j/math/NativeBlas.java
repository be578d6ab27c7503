// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.cblas.LibCblas;

/**
 * Matrix products by a library with the C interface of BLAS. A call has one thread, as each rank has its share of the
 * processors, unless {@code OPENBLAS_NUM_THREADS}, {@code MKL_NUM_THREADS}, {@code BLIS_NUM_THREADS} or {@code
 * OMP_NUM_THREADS} is set.
 */
final class NativeBlas implements Blas {
    /** Sizes from here on need a library with 64-bit integers. */
    private static final long INT_RANGE = 1L << 31;

    private static final long FACTOR = 16;

    private final Blas fallback = new JavaBlas();
    private final String name;
    private final boolean longSizes;
    /** α, then β, as complex numbers. */
    private final MemorySegment factors = Arena.ofAuto().allocate(2 * FACTOR, FACTOR);

    private NativeBlas() {
        String described = LibCblas.library().version();
        longSizes = described != null && described.contains("USE64BITINT");
        name = described == null
                ? "CBLAS of " + LibCblas.library().file()
                : String.join(" ", described.split(" ", 3)[0], described.split(" ", 3)[1]);
        limitThreads();
    }

    /** Returns the library's products if there is one, else loops in Java. */
    static Blas find() {
        return LibCblas.library().isPresent() && LibCblas.has("cblas_dgemm") && LibCblas.has("cblas_zgemv")
                ? new NativeBlas()
                : new JavaBlas();
    }

    private static void limitThreads() {
        for (String variable :
                new String[] {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS"}) {
            if (System.getenv(variable) != null) {
                return;
            }
        }
        if (LibCblas.has("openblas_set_num_threads")) {
            LibCblas.openblas_set_num_threads(1);
        } else if (LibCblas.has("MKL_Set_Num_Threads")) {
            LibCblas.MKL_Set_Num_Threads(1);
        } else if (LibCblas.has("bli_thread_set_num_threads")) {
            LibCblas.bli_thread_set_num_threads(1);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void gemm(
            Transpose transpose, long m, long n, long k, double alpha, Buffer a, Buffer b, double beta, Buffer c) {
        Operands.matrices(1, m, n, k, a, b, c);
        boolean real = !a.type().isComplex();
        // The parts of complex numbers are columns of their own where the matrix is real.
        long columns = real && c.type().isComplex() ? 2 * n : n;
        if (!fits(longSizes, m, columns, k) || m == 0 || n == 0 || k == 0 || !onHost(a, b, c)) {
            fallback.gemm(transpose, m, n, k, alpha, a, b, beta, c);
            return;
        }
        int op = transpose == Transpose.NONE
                ? LibCblas.CblasNoTrans
                : transpose == Transpose.TRANSPOSE || real ? LibCblas.CblasTrans : LibCblas.CblasConjTrans;
        if (!real) {
            factor(0, a.type(), alpha);
            factor(FACTOR, a.type(), beta);
        }
        if (columns == 1) {
            gemv(op, m, k, alpha, a, b, beta, c);
        } else {
            gemm(op, m, columns, k, alpha, a, b, beta, c);
        }
    }

    /** Returns whether a library takes sizes, and leading dimensions, which are one of them each. */
    static boolean fits(boolean longSizes, long... sizes) {
        return longSizes || LongStream.of(sizes).allMatch(size -> size < INT_RANGE);
    }

    private static boolean onHost(Buffer... matrices) {
        for (Buffer each : matrices) {
            if (!(each instanceof HostArray)) {
                return false;
            }
        }
        return true;
    }

    private void factor(long at, DataType type, double value) {
        if (type == DataType.COMPLEX64) {
            factors.set(JAVA_FLOAT, at, (float) value);
            factors.set(JAVA_FLOAT, at + Float.BYTES, 0);
        } else {
            factors.set(JAVA_DOUBLE, at, value);
            factors.set(JAVA_DOUBLE, at + Double.BYTES, 0);
        }
    }

    private void gemv(int op, long m, long k, double alpha, Buffer a, Buffer x, double beta, Buffer y) {
        int byRows = LibCblas.CblasRowMajor;
        long rows = op == LibCblas.CblasNoTrans ? m : k;
        long columns = op == LibCblas.CblasNoTrans ? k : m;
        long from = x.address();
        long to = y.address();
        long f = factors.address();
        switch (a.type()) {
            case FLOAT32 ->
                LibCblas.cblas_sgemv(
                        byRows, op, rows, columns, (float) alpha, a.address(), columns, from, 1, (float) beta, to, 1);
            case FLOAT64 ->
                LibCblas.cblas_dgemv(byRows, op, rows, columns, alpha, a.address(), columns, from, 1, beta, to, 1);
            case COMPLEX64 ->
                LibCblas.cblas_cgemv(byRows, op, rows, columns, f, a.address(), columns, from, 1, f + FACTOR, to, 1);
            default ->
                LibCblas.cblas_zgemv(byRows, op, rows, columns, f, a.address(), columns, from, 1, f + FACTOR, to, 1);
        }
    }

    private void gemm(int op, long m, long n, long k, double alpha, Buffer a, Buffer b, double beta, Buffer c) {
        int byRows = LibCblas.CblasRowMajor;
        int plain = LibCblas.CblasNoTrans;
        long lda = op == plain ? k : m;
        long f = factors.address();
        long ap = a.address();
        long bp = b.address();
        long cp = c.address();
        switch (a.type()) {
            case FLOAT32 ->
                LibCblas.cblas_sgemm(byRows, op, plain, m, n, k, (float) alpha, ap, lda, bp, n, (float) beta, cp, n);
            case FLOAT64 -> LibCblas.cblas_dgemm(byRows, op, plain, m, n, k, alpha, ap, lda, bp, n, beta, cp, n);
            case COMPLEX64 -> LibCblas.cblas_cgemm(byRows, op, plain, m, n, k, f, ap, lda, bp, n, f + FACTOR, cp, n);
            default -> LibCblas.cblas_zgemm(byRows, op, plain, m, n, k, f, ap, lda, bp, n, f + FACTOR, cp, n);
        }
    }
}
