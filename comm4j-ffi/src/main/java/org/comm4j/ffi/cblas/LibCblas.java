// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cblas;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;

/**
 * The C interface of CBLAS, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibCblas {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.CBLAS);

    private static final NativeFunction cblas_sgemv = LIBRARY.function(
            "cblas_sgemv",
            "",
            "cblas_sgemv",
            "scipy_cblas_sgemv",
            "cblas_sgemv64_",
            "scipy_cblas_sgemv64_",
            "cblas_sgemv_64",
            "scipy_cblas_sgemv_64");
    private static final NativeFunction cblas_sgemm = LIBRARY.function(
            "cblas_sgemm",
            "",
            "cblas_sgemm",
            "scipy_cblas_sgemm",
            "cblas_sgemm64_",
            "scipy_cblas_sgemm64_",
            "cblas_sgemm_64",
            "scipy_cblas_sgemm_64");
    private static final NativeFunction cblas_sger = LIBRARY.function(
            "cblas_sger",
            "",
            "cblas_sger",
            "scipy_cblas_sger",
            "cblas_sger64_",
            "scipy_cblas_sger64_",
            "cblas_sger_64",
            "scipy_cblas_sger_64");
    private static final NativeFunction cblas_dgemv = LIBRARY.function(
            "cblas_dgemv",
            "",
            "cblas_dgemv",
            "scipy_cblas_dgemv",
            "cblas_dgemv64_",
            "scipy_cblas_dgemv64_",
            "cblas_dgemv_64",
            "scipy_cblas_dgemv_64");
    private static final NativeFunction cblas_dgemm = LIBRARY.function(
            "cblas_dgemm",
            "",
            "cblas_dgemm",
            "scipy_cblas_dgemm",
            "cblas_dgemm64_",
            "scipy_cblas_dgemm64_",
            "cblas_dgemm_64",
            "scipy_cblas_dgemm_64");
    private static final NativeFunction cblas_dger = LIBRARY.function(
            "cblas_dger",
            "",
            "cblas_dger",
            "scipy_cblas_dger",
            "cblas_dger64_",
            "scipy_cblas_dger64_",
            "cblas_dger_64",
            "scipy_cblas_dger_64");
    private static final NativeFunction cblas_cgemv = LIBRARY.function(
            "cblas_cgemv",
            "",
            "cblas_cgemv",
            "scipy_cblas_cgemv",
            "cblas_cgemv64_",
            "scipy_cblas_cgemv64_",
            "cblas_cgemv_64",
            "scipy_cblas_cgemv_64");
    private static final NativeFunction cblas_cgemm = LIBRARY.function(
            "cblas_cgemm",
            "",
            "cblas_cgemm",
            "scipy_cblas_cgemm",
            "cblas_cgemm64_",
            "scipy_cblas_cgemm64_",
            "cblas_cgemm_64",
            "scipy_cblas_cgemm_64");
    private static final NativeFunction cblas_cgeru = LIBRARY.function(
            "cblas_cgeru",
            "",
            "cblas_cgeru",
            "scipy_cblas_cgeru",
            "cblas_cgeru64_",
            "scipy_cblas_cgeru64_",
            "cblas_cgeru_64",
            "scipy_cblas_cgeru_64");
    private static final NativeFunction cblas_cgerc = LIBRARY.function(
            "cblas_cgerc",
            "",
            "cblas_cgerc",
            "scipy_cblas_cgerc",
            "cblas_cgerc64_",
            "scipy_cblas_cgerc64_",
            "cblas_cgerc_64",
            "scipy_cblas_cgerc_64");
    private static final NativeFunction cblas_zgemv = LIBRARY.function(
            "cblas_zgemv",
            "",
            "cblas_zgemv",
            "scipy_cblas_zgemv",
            "cblas_zgemv64_",
            "scipy_cblas_zgemv64_",
            "cblas_zgemv_64",
            "scipy_cblas_zgemv_64");
    private static final NativeFunction cblas_zgemm = LIBRARY.function(
            "cblas_zgemm",
            "",
            "cblas_zgemm",
            "scipy_cblas_zgemm",
            "cblas_zgemm64_",
            "scipy_cblas_zgemm64_",
            "cblas_zgemm_64",
            "scipy_cblas_zgemm_64");
    private static final NativeFunction cblas_zgeru = LIBRARY.function(
            "cblas_zgeru",
            "",
            "cblas_zgeru",
            "scipy_cblas_zgeru",
            "cblas_zgeru64_",
            "scipy_cblas_zgeru64_",
            "cblas_zgeru_64",
            "scipy_cblas_zgeru_64");
    private static final NativeFunction cblas_zgerc = LIBRARY.function(
            "cblas_zgerc",
            "",
            "cblas_zgerc",
            "scipy_cblas_zgerc",
            "cblas_zgerc64_",
            "scipy_cblas_zgerc64_",
            "cblas_zgerc_64",
            "scipy_cblas_zgerc_64");
    private static final NativeFunction openblas_set_num_threads = LIBRARY.function(
            "openblas_set_num_threads",
            "",
            "openblas_set_num_threads",
            "scipy_openblas_set_num_threads",
            "openblas_set_num_threads64_",
            "scipy_openblas_set_num_threads64_",
            "openblas_set_num_threads_64",
            "scipy_openblas_set_num_threads_64");
    private static final NativeFunction MKL_Set_Num_Threads = LIBRARY.function(
            "MKL_Set_Num_Threads",
            "",
            "MKL_Set_Num_Threads",
            "scipy_MKL_Set_Num_Threads",
            "MKL_Set_Num_Threads64_",
            "scipy_MKL_Set_Num_Threads64_",
            "MKL_Set_Num_Threads_64",
            "scipy_MKL_Set_Num_Threads_64");
    private static final NativeFunction bli_thread_set_num_threads = LIBRARY.function(
            "bli_thread_set_num_threads",
            "",
            "bli_thread_set_num_threads",
            "scipy_bli_thread_set_num_threads",
            "bli_thread_set_num_threads64_",
            "scipy_bli_thread_set_num_threads64_",
            "bli_thread_set_num_threads_64",
            "scipy_bli_thread_set_num_threads_64");

    // CBLAS_LAYOUT

    public static final int CblasRowMajor = 101;
    public static final int CblasColMajor = 102;

    // CBLAS_TRANSPOSE

    public static final int CblasNoTrans = 111;
    public static final int CblasTrans = 112;
    public static final int CblasConjTrans = 113;

    private LibCblas() {}

    /** The library as found and loaded, or why not. */
    public static NativeLibrary library() {
        return LIBRARY;
    }

    /**
     * Whether the loaded library has a function; false if there is no library.
     *
     * @throws IllegalArgumentException if this class has no function of that name
     */
    public static boolean has(String function) {
        return LIBRARY.has(function);
    }

    /**
     * {@code void cblas_sgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, long long m, long long n, float alpha, const float *a, long long lda, const float *x, long long incx, float beta, float *y, long long incy)}
     */
    public static void cblas_sgemv(
            int layout,
            int trans,
            long m,
            long n,
            float alpha,
            long a,
            long lda,
            long x,
            long incx,
            float beta,
            long y,
            long incy) {
        Downcalls.callVoid(cblas_sgemv.address(), layout, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
    }

    /**
     * {@code void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, long long m, long long n, long long k, float alpha, const float *a, long long lda, const float *b, long long ldb, float beta, float *c, long long ldc)}
     */
    public static void cblas_sgemm(
            int layout,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            float alpha,
            long a,
            long lda,
            long b,
            long ldb,
            float beta,
            long c,
            long ldc) {
        Downcalls.callVoid(cblas_sgemm.address(), layout, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    }

    /**
     * {@code void cblas_sger(CBLAS_LAYOUT layout, long long m, long long n, float alpha, const float *x, long long incx, const float *y, long long incy, float *a, long long lda)}
     */
    public static void cblas_sger(
            int layout, long m, long n, float alpha, long x, long incx, long y, long incy, long a, long lda) {
        Downcalls.callVoid(cblas_sger.address(), layout, m, n, alpha, x, incx, y, incy, a, lda);
    }

    /**
     * {@code void cblas_dgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, long long m, long long n, double alpha, const double *a, long long lda, const double *x, long long incx, double beta, double *y, long long incy)}
     */
    public static void cblas_dgemv(
            int layout,
            int trans,
            long m,
            long n,
            double alpha,
            long a,
            long lda,
            long x,
            long incx,
            double beta,
            long y,
            long incy) {
        Downcalls.callVoid(cblas_dgemv.address(), layout, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
    }

    /**
     * {@code void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, long long m, long long n, long long k, double alpha, const double *a, long long lda, const double *b, long long ldb, double beta, double *c, long long ldc)}
     */
    public static void cblas_dgemm(
            int layout,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            double alpha,
            long a,
            long lda,
            long b,
            long ldb,
            double beta,
            long c,
            long ldc) {
        Downcalls.callVoid(cblas_dgemm.address(), layout, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    }

    /**
     * {@code void cblas_dger(CBLAS_LAYOUT layout, long long m, long long n, double alpha, const double *x, long long incx, const double *y, long long incy, double *a, long long lda)}
     */
    public static void cblas_dger(
            int layout, long m, long n, double alpha, long x, long incx, long y, long incy, long a, long lda) {
        Downcalls.callVoid(cblas_dger.address(), layout, m, n, alpha, x, incx, y, incy, a, lda);
    }

    /**
     * {@code void cblas_cgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, long long m, long long n, const void *alpha, const void *a, long long lda, const void *x, long long incx, const void *beta, void *y, long long incy)}
     */
    public static void cblas_cgemv(
            int layout,
            int trans,
            long m,
            long n,
            long alpha,
            long a,
            long lda,
            long x,
            long incx,
            long beta,
            long y,
            long incy) {
        Downcalls.callVoid(cblas_cgemv.address(), layout, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
    }

    /**
     * {@code void cblas_cgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, long long m, long long n, long long k, const void *alpha, const void *a, long long lda, const void *b, long long ldb, const void *beta, void *c, long long ldc)}
     */
    public static void cblas_cgemm(
            int layout,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long a,
            long lda,
            long b,
            long ldb,
            long beta,
            long c,
            long ldc) {
        Downcalls.callVoid(cblas_cgemm.address(), layout, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    }

    /**
     * {@code void cblas_cgeru(CBLAS_LAYOUT layout, long long m, long long n, const void *alpha, const void *x, long long incx, const void *y, long long incy, void *a, long long lda)}
     */
    public static void cblas_cgeru(
            int layout, long m, long n, long alpha, long x, long incx, long y, long incy, long a, long lda) {
        Downcalls.callVoid(cblas_cgeru.address(), layout, m, n, alpha, x, incx, y, incy, a, lda);
    }

    /**
     * {@code void cblas_cgerc(CBLAS_LAYOUT layout, long long m, long long n, const void *alpha, const void *x, long long incx, const void *y, long long incy, void *a, long long lda)}
     */
    public static void cblas_cgerc(
            int layout, long m, long n, long alpha, long x, long incx, long y, long incy, long a, long lda) {
        Downcalls.callVoid(cblas_cgerc.address(), layout, m, n, alpha, x, incx, y, incy, a, lda);
    }

    /**
     * {@code void cblas_zgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE trans, long long m, long long n, const void *alpha, const void *a, long long lda, const void *x, long long incx, const void *beta, void *y, long long incy)}
     */
    public static void cblas_zgemv(
            int layout,
            int trans,
            long m,
            long n,
            long alpha,
            long a,
            long lda,
            long x,
            long incx,
            long beta,
            long y,
            long incy) {
        Downcalls.callVoid(cblas_zgemv.address(), layout, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);
    }

    /**
     * {@code void cblas_zgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transa, CBLAS_TRANSPOSE transb, long long m, long long n, long long k, const void *alpha, const void *a, long long lda, const void *b, long long ldb, const void *beta, void *c, long long ldc)}
     */
    public static void cblas_zgemm(
            int layout,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long a,
            long lda,
            long b,
            long ldb,
            long beta,
            long c,
            long ldc) {
        Downcalls.callVoid(cblas_zgemm.address(), layout, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    }

    /**
     * {@code void cblas_zgeru(CBLAS_LAYOUT layout, long long m, long long n, const void *alpha, const void *x, long long incx, const void *y, long long incy, void *a, long long lda)}
     */
    public static void cblas_zgeru(
            int layout, long m, long n, long alpha, long x, long incx, long y, long incy, long a, long lda) {
        Downcalls.callVoid(cblas_zgeru.address(), layout, m, n, alpha, x, incx, y, incy, a, lda);
    }

    /**
     * {@code void cblas_zgerc(CBLAS_LAYOUT layout, long long m, long long n, const void *alpha, const void *x, long long incx, const void *y, long long incy, void *a, long long lda)}
     */
    public static void cblas_zgerc(
            int layout, long m, long n, long alpha, long x, long incx, long y, long incy, long a, long lda) {
        Downcalls.callVoid(cblas_zgerc.address(), layout, m, n, alpha, x, incx, y, incy, a, lda);
    }

    /**
     * {@code void openblas_set_num_threads(int threads)}
     */
    public static void openblas_set_num_threads(int threads) {
        Downcalls.callVoid(openblas_set_num_threads.address(), threads);
    }

    /**
     * {@code void MKL_Set_Num_Threads(int threads)}
     */
    public static void MKL_Set_Num_Threads(int threads) {
        Downcalls.callVoid(MKL_Set_Num_Threads.address(), threads);
    }

    /**
     * {@code void bli_thread_set_num_threads(long long threads)}
     */
    public static void bli_thread_set_num_threads(long threads) {
        Downcalls.callVoid(bli_thread_set_num_threads.address(), threads);
    }
}
