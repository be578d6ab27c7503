// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cublas;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of cuBLAS, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibCublas {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.CUBLAS);

    private static final NativeFunction cublasCreate = LIBRARY.function("cublasCreate", "", "cublasCreate_v2");
    private static final NativeFunction cublasDestroy = LIBRARY.function("cublasDestroy", "", "cublasDestroy_v2");
    private static final NativeFunction cublasGetProperty = LIBRARY.function("cublasGetProperty");
    private static final NativeFunction cublasGetStatusString = LIBRARY.function("cublasGetStatusString");
    private static final NativeFunction cublasSetStream = LIBRARY.function("cublasSetStream", "", "cublasSetStream_v2");
    private static final NativeFunction cublasSetWorkspace =
            LIBRARY.function("cublasSetWorkspace", "", "cublasSetWorkspace_v2");
    private static final NativeFunction cublasSetPointerMode =
            LIBRARY.function("cublasSetPointerMode", "", "cublasSetPointerMode_v2");
    private static final NativeFunction cublasSgemv_64 = LIBRARY.function("cublasSgemv_64", "", "cublasSgemv_v2_64");
    private static final NativeFunction cublasDgemv_64 = LIBRARY.function("cublasDgemv_64", "", "cublasDgemv_v2_64");
    private static final NativeFunction cublasCgemv_64 = LIBRARY.function("cublasCgemv_64", "", "cublasCgemv_v2_64");
    private static final NativeFunction cublasZgemv_64 = LIBRARY.function("cublasZgemv_64", "", "cublasZgemv_v2_64");
    private static final NativeFunction cublasSger_64 = LIBRARY.function("cublasSger_64", "", "cublasSger_v2_64");
    private static final NativeFunction cublasDger_64 = LIBRARY.function("cublasDger_64", "", "cublasDger_v2_64");
    private static final NativeFunction cublasCgeru_64 = LIBRARY.function("cublasCgeru_64", "", "cublasCgeru_v2_64");
    private static final NativeFunction cublasZgeru_64 = LIBRARY.function("cublasZgeru_64", "", "cublasZgeru_v2_64");
    private static final NativeFunction cublasCgerc_64 = LIBRARY.function("cublasCgerc_64", "", "cublasCgerc_v2_64");
    private static final NativeFunction cublasZgerc_64 = LIBRARY.function("cublasZgerc_64", "", "cublasZgerc_v2_64");
    private static final NativeFunction cublasSgemvStridedBatched_64 = LIBRARY.function("cublasSgemvStridedBatched_64");
    private static final NativeFunction cublasDgemvStridedBatched_64 = LIBRARY.function("cublasDgemvStridedBatched_64");
    private static final NativeFunction cublasCgemvStridedBatched_64 = LIBRARY.function("cublasCgemvStridedBatched_64");
    private static final NativeFunction cublasZgemvStridedBatched_64 = LIBRARY.function("cublasZgemvStridedBatched_64");
    private static final NativeFunction cublasSgemm_64 = LIBRARY.function("cublasSgemm_64", "", "cublasSgemm_v2_64");
    private static final NativeFunction cublasDgemm_64 = LIBRARY.function("cublasDgemm_64", "", "cublasDgemm_v2_64");
    private static final NativeFunction cublasCgemm_64 = LIBRARY.function("cublasCgemm_64", "", "cublasCgemm_v2_64");
    private static final NativeFunction cublasZgemm_64 = LIBRARY.function("cublasZgemm_64", "", "cublasZgemm_v2_64");
    private static final NativeFunction cublasSgemmStridedBatched_64 = LIBRARY.function("cublasSgemmStridedBatched_64");
    private static final NativeFunction cublasDgemmStridedBatched_64 = LIBRARY.function("cublasDgemmStridedBatched_64");
    private static final NativeFunction cublasCgemmStridedBatched_64 = LIBRARY.function("cublasCgemmStridedBatched_64");
    private static final NativeFunction cublasZgemmStridedBatched_64 = LIBRARY.function("cublasZgemmStridedBatched_64");
    private static final NativeFunction cublasGemmEx_64 = LIBRARY.function("cublasGemmEx_64");
    private static final NativeFunction cublasGemmGroupedBatchedEx_64 =
            LIBRARY.function("cublasGemmGroupedBatchedEx_64");
    private static final NativeFunction cublasLtCreate = LIBRARY.function("cublasLtCreate");
    private static final NativeFunction cublasLtDestroy = LIBRARY.function("cublasLtDestroy");
    private static final NativeFunction cublasLtMatmulDescCreate = LIBRARY.function("cublasLtMatmulDescCreate");
    private static final NativeFunction cublasLtMatmulDescDestroy = LIBRARY.function("cublasLtMatmulDescDestroy");
    private static final NativeFunction cublasLtMatmulDescSetAttribute =
            LIBRARY.function("cublasLtMatmulDescSetAttribute");
    private static final NativeFunction cublasLtMatrixLayoutCreate = LIBRARY.function("cublasLtMatrixLayoutCreate");
    private static final NativeFunction cublasLtMatrixLayoutDestroy = LIBRARY.function("cublasLtMatrixLayoutDestroy");
    private static final NativeFunction cublasLtMatmulPreferenceCreate =
            LIBRARY.function("cublasLtMatmulPreferenceCreate");
    private static final NativeFunction cublasLtMatmulPreferenceDestroy =
            LIBRARY.function("cublasLtMatmulPreferenceDestroy");
    private static final NativeFunction cublasLtMatmulPreferenceSetAttribute =
            LIBRARY.function("cublasLtMatmulPreferenceSetAttribute");
    private static final NativeFunction cublasLtMatmulAlgoGetHeuristic =
            LIBRARY.function("cublasLtMatmulAlgoGetHeuristic");
    private static final NativeFunction cublasLtMatmul = LIBRARY.function("cublasLtMatmul");

    // cublasStatus_t

    public static final int CUBLAS_STATUS_SUCCESS = 0;
    public static final int CUBLAS_STATUS_NOT_INITIALIZED = 1;
    public static final int CUBLAS_STATUS_ALLOC_FAILED = 3;
    public static final int CUBLAS_STATUS_INVALID_VALUE = 7;
    public static final int CUBLAS_STATUS_ARCH_MISMATCH = 8;
    public static final int CUBLAS_STATUS_MAPPING_ERROR = 11;
    public static final int CUBLAS_STATUS_EXECUTION_FAILED = 13;
    public static final int CUBLAS_STATUS_INTERNAL_ERROR = 14;
    public static final int CUBLAS_STATUS_NOT_SUPPORTED = 15;
    public static final int CUBLAS_STATUS_LICENSE_ERROR = 16;

    // libraryPropertyType

    public static final int MAJOR_VERSION = 0;
    public static final int MINOR_VERSION = 1;
    public static final int PATCH_LEVEL = 2;

    // cublasPointerMode_t

    public static final int CUBLAS_POINTER_MODE_HOST = 0;
    public static final int CUBLAS_POINTER_MODE_DEVICE = 1;

    // cublasOperation_t

    public static final int CUBLAS_OP_N = 0;
    public static final int CUBLAS_OP_T = 1;
    public static final int CUBLAS_OP_C = 2;
    public static final int CUBLAS_OP_HERMITAN = 2;
    public static final int CUBLAS_OP_CONJG = 3;

    // cudaDataType

    public static final int CUDA_R_16F = 2;
    public static final int CUDA_C_16F = 6;
    public static final int CUDA_R_16BF = 14;
    public static final int CUDA_C_16BF = 15;
    public static final int CUDA_R_32F = 0;
    public static final int CUDA_C_32F = 4;
    public static final int CUDA_R_64F = 1;
    public static final int CUDA_C_64F = 5;
    public static final int CUDA_R_4I = 16;
    public static final int CUDA_C_4I = 17;
    public static final int CUDA_R_4U = 18;
    public static final int CUDA_C_4U = 19;
    public static final int CUDA_R_8I = 3;
    public static final int CUDA_C_8I = 7;
    public static final int CUDA_R_8U = 8;
    public static final int CUDA_C_8U = 9;
    public static final int CUDA_R_16I = 20;
    public static final int CUDA_C_16I = 21;
    public static final int CUDA_R_16U = 22;
    public static final int CUDA_C_16U = 23;
    public static final int CUDA_R_32I = 10;
    public static final int CUDA_C_32I = 11;
    public static final int CUDA_R_32U = 12;
    public static final int CUDA_C_32U = 13;
    public static final int CUDA_R_64I = 24;
    public static final int CUDA_C_64I = 25;
    public static final int CUDA_R_64U = 26;
    public static final int CUDA_C_64U = 27;
    public static final int CUDA_R_8F_E4M3 = 28;
    public static final int CUDA_R_8F_UE4M3 = 28;
    public static final int CUDA_R_8F_E5M2 = 29;
    public static final int CUDA_R_8F_UE8M0 = 30;
    public static final int CUDA_R_6F_E2M3 = 31;
    public static final int CUDA_R_6F_E3M2 = 32;
    public static final int CUDA_R_4F_E2M1 = 33;
    public static final int CUDA_R_8F_UE5M3 = 34;

    // cublasComputeType_t

    public static final int CUBLAS_COMPUTE_16F = 64;
    public static final int CUBLAS_COMPUTE_16F_PEDANTIC = 65;
    public static final int CUBLAS_COMPUTE_32F = 68;
    public static final int CUBLAS_COMPUTE_32F_PEDANTIC = 69;
    public static final int CUBLAS_COMPUTE_32F_FAST_16F = 74;
    public static final int CUBLAS_COMPUTE_32F_FAST_16BF = 75;
    public static final int CUBLAS_COMPUTE_32F_FAST_TF32 = 77;
    public static final int CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78;
    public static final int CUBLAS_COMPUTE_64F = 70;
    public static final int CUBLAS_COMPUTE_64F_PEDANTIC = 71;
    public static final int CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79;
    public static final int CUBLAS_COMPUTE_32I = 72;
    public static final int CUBLAS_COMPUTE_32I_PEDANTIC = 73;

    // cublasGemmAlgo_t

    public static final int CUBLAS_GEMM_DFALT = -1;
    public static final int CUBLAS_GEMM_DEFAULT = -1;
    public static final int CUBLAS_GEMM_ALGO0 = 0;
    public static final int CUBLAS_GEMM_ALGO1 = 1;
    public static final int CUBLAS_GEMM_ALGO2 = 2;
    public static final int CUBLAS_GEMM_ALGO3 = 3;
    public static final int CUBLAS_GEMM_ALGO4 = 4;
    public static final int CUBLAS_GEMM_ALGO5 = 5;
    public static final int CUBLAS_GEMM_ALGO6 = 6;
    public static final int CUBLAS_GEMM_ALGO7 = 7;
    public static final int CUBLAS_GEMM_ALGO8 = 8;
    public static final int CUBLAS_GEMM_ALGO9 = 9;
    public static final int CUBLAS_GEMM_ALGO10 = 10;
    public static final int CUBLAS_GEMM_ALGO11 = 11;
    public static final int CUBLAS_GEMM_ALGO12 = 12;
    public static final int CUBLAS_GEMM_ALGO13 = 13;
    public static final int CUBLAS_GEMM_ALGO14 = 14;
    public static final int CUBLAS_GEMM_ALGO15 = 15;
    public static final int CUBLAS_GEMM_ALGO16 = 16;
    public static final int CUBLAS_GEMM_ALGO17 = 17;
    public static final int CUBLAS_GEMM_ALGO18 = 18;
    public static final int CUBLAS_GEMM_ALGO19 = 19;
    public static final int CUBLAS_GEMM_ALGO20 = 20;
    public static final int CUBLAS_GEMM_ALGO21 = 21;
    public static final int CUBLAS_GEMM_ALGO22 = 22;
    public static final int CUBLAS_GEMM_ALGO23 = 23;
    public static final int CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99;
    public static final int CUBLAS_GEMM_DFALT_TENSOR_OP = 99;
    public static final int CUBLAS_GEMM_ALGO0_TENSOR_OP = 100;
    public static final int CUBLAS_GEMM_ALGO1_TENSOR_OP = 101;
    public static final int CUBLAS_GEMM_ALGO2_TENSOR_OP = 102;
    public static final int CUBLAS_GEMM_ALGO3_TENSOR_OP = 103;
    public static final int CUBLAS_GEMM_ALGO4_TENSOR_OP = 104;
    public static final int CUBLAS_GEMM_ALGO5_TENSOR_OP = 105;
    public static final int CUBLAS_GEMM_ALGO6_TENSOR_OP = 106;
    public static final int CUBLAS_GEMM_ALGO7_TENSOR_OP = 107;
    public static final int CUBLAS_GEMM_ALGO8_TENSOR_OP = 108;
    public static final int CUBLAS_GEMM_ALGO9_TENSOR_OP = 109;
    public static final int CUBLAS_GEMM_ALGO10_TENSOR_OP = 110;
    public static final int CUBLAS_GEMM_ALGO11_TENSOR_OP = 111;
    public static final int CUBLAS_GEMM_ALGO12_TENSOR_OP = 112;
    public static final int CUBLAS_GEMM_ALGO13_TENSOR_OP = 113;
    public static final int CUBLAS_GEMM_ALGO14_TENSOR_OP = 114;
    public static final int CUBLAS_GEMM_ALGO15_TENSOR_OP = 115;
    public static final int CUBLAS_GEMM_AUTOTUNE = 999;

    // cublasLtMatmulDescAttributes_t

    public static final int CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0;
    public static final int CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1;
    public static final int CUBLASLT_MATMUL_DESC_POINTER_MODE = 2;
    public static final int CUBLASLT_MATMUL_DESC_TRANSA = 3;
    public static final int CUBLASLT_MATMUL_DESC_TRANSB = 4;
    public static final int CUBLASLT_MATMUL_DESC_TRANSC = 5;
    public static final int CUBLASLT_MATMUL_DESC_FILL_MODE = 6;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE = 7;
    public static final int CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8;
    public static final int CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13;
    public static final int CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14;
    public static final int CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15;
    public static final int CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17;
    public static final int CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18;
    public static final int CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19;
    public static final int CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20;
    public static final int CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24;
    public static final int CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25;
    public static final int CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26;
    public static final int CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31;
    public static final int CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32;
    public static final int CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33;
    public static final int CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34;
    public static final int CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35;
    public static final int CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36;
    public static final int CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37;
    public static final int CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR = 38;
    public static final int CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE = 39;
    public static final int CUBLASLT_MATMUL_DESC_BETA_BATCH_STRIDE = 40;
    public static final int CUBLASLT_MATMUL_DESC_BATCH_INVARIANCE_FLAGS = 41;

    // cublasLtMatmulPreferenceAttributes_t

    public static final int CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0;
    public static final int CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1;
    public static final int CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3;
    public static final int CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5;
    public static final int CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6;
    public static final int CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7;
    public static final int CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8;
    public static final int CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9;
    public static final int CUBLASLT_MATMUL_PREF_IMPL_MASK = 12;
    public static final int CUBLASLT_MATMUL_PREF_GROUPED_AVERAGE_REDUCTION_DIM = 13;
    public static final int CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS = 14;
    public static final int CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_COLS = 15;

    private LibCublas() {}

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
     * {@code cublasStatus_t cublasCreate(cublasHandle_t *handle)}
     */
    public static void cublasCreate(MemorySegment handle) {
        check(cublasCreate, Downcalls.callInt(cublasCreate.address(), handle));
    }

    /**
     * {@code cublasStatus_t cublasDestroy(cublasHandle_t handle)}
     */
    public static void cublasDestroy(CublasHandle handle) {
        check(cublasDestroy, Downcalls.callInt(cublasDestroy.address(), handle.address()));
    }

    /**
     * {@code cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)}
     */
    public static void cublasGetProperty(int type, MemorySegment value) {
        check(cublasGetProperty, Downcalls.callInt(cublasGetProperty.address(), type, value));
    }

    /**
     * {@code const char *cublasGetStatusString(cublasStatus_t status)}
     */
    public static @Nullable String cublasGetStatusString(int status) {
        return NativeMemory.string(Downcalls.callLong(cublasGetStatusString.address(), status));
    }

    /**
     * {@code cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t streamId)}
     */
    public static void cublasSetStream(CublasHandle handle, CUstream streamId) {
        check(cublasSetStream, Downcalls.callInt(cublasSetStream.address(), handle.address(), streamId.address()));
    }

    /**
     * {@code cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes)}
     */
    public static void cublasSetWorkspace(CublasHandle handle, long workspace, long workspaceSizeInBytes) {
        check(
                cublasSetWorkspace,
                Downcalls.callInt(cublasSetWorkspace.address(), handle.address(), workspace, workspaceSizeInBytes));
    }

    /**
     * {@code cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode)}
     */
    public static void cublasSetPointerMode(CublasHandle handle, int mode) {
        check(cublasSetPointerMode, Downcalls.callInt(cublasSetPointerMode.address(), handle.address(), mode));
    }

    /**
     * {@code cublasStatus_t cublasSgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float *alpha, const float *A, int64_t lda, const float *x, int64_t incx, const float *beta, float *y, int64_t incy)}
     */
    public static void cublasSgemv_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long x,
            long incx,
            long beta,
            long y,
            long incy) {
        check(
                cublasSgemv_64,
                Downcalls.callInt(
                        cublasSgemv_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        x,
                        incx,
                        beta,
                        y,
                        incy));
    }

    /**
     * {@code cublasStatus_t cublasDgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double *alpha, const double *A, int64_t lda, const double *x, int64_t incx, const double *beta, double *y, int64_t incy)}
     */
    public static void cublasDgemv_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long x,
            long incx,
            long beta,
            long y,
            long incy) {
        check(
                cublasDgemv_64,
                Downcalls.callInt(
                        cublasDgemv_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        x,
                        incx,
                        beta,
                        y,
                        incy));
    }

    /**
     * {@code cublasStatus_t cublasCgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *A, int64_t lda, const cuComplex *x, int64_t incx, const cuComplex *beta, cuComplex *y, int64_t incy)}
     */
    public static void cublasCgemv_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long x,
            long incx,
            long beta,
            long y,
            long incy) {
        check(
                cublasCgemv_64,
                Downcalls.callInt(
                        cublasCgemv_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        x,
                        incx,
                        beta,
                        y,
                        incy));
    }

    /**
     * {@code cublasStatus_t cublasZgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int64_t lda, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy)}
     */
    public static void cublasZgemv_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long x,
            long incx,
            long beta,
            long y,
            long incy) {
        check(
                cublasZgemv_64,
                Downcalls.callInt(
                        cublasZgemv_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        x,
                        incx,
                        beta,
                        y,
                        incy));
    }

    /**
     * {@code cublasStatus_t cublasSger_64(cublasHandle_t handle, int64_t m, int64_t n, const float *alpha, const float *x, int64_t incx, const float *y, int64_t incy, float *A, int64_t lda)}
     */
    public static void cublasSger_64(
            CublasHandle handle, long m, long n, long alpha, long x, long incx, long y, long incy, long A, long lda) {
        check(
                cublasSger_64,
                Downcalls.callInt(cublasSger_64.address(), handle.address(), m, n, alpha, x, incx, y, incy, A, lda));
    }

    /**
     * {@code cublasStatus_t cublasDger_64(cublasHandle_t handle, int64_t m, int64_t n, const double *alpha, const double *x, int64_t incx, const double *y, int64_t incy, double *A, int64_t lda)}
     */
    public static void cublasDger_64(
            CublasHandle handle, long m, long n, long alpha, long x, long incx, long y, long incy, long A, long lda) {
        check(
                cublasDger_64,
                Downcalls.callInt(cublasDger_64.address(), handle.address(), m, n, alpha, x, incx, y, incy, A, lda));
    }

    /**
     * {@code cublasStatus_t cublasCgeru_64(cublasHandle_t handle, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *A, int64_t lda)}
     */
    public static void cublasCgeru_64(
            CublasHandle handle, long m, long n, long alpha, long x, long incx, long y, long incy, long A, long lda) {
        check(
                cublasCgeru_64,
                Downcalls.callInt(cublasCgeru_64.address(), handle.address(), m, n, alpha, x, incx, y, incy, A, lda));
    }

    /**
     * {@code cublasStatus_t cublasZgeru_64(cublasHandle_t handle, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *A, int64_t lda)}
     */
    public static void cublasZgeru_64(
            CublasHandle handle, long m, long n, long alpha, long x, long incx, long y, long incy, long A, long lda) {
        check(
                cublasZgeru_64,
                Downcalls.callInt(cublasZgeru_64.address(), handle.address(), m, n, alpha, x, incx, y, incy, A, lda));
    }

    /**
     * {@code cublasStatus_t cublasCgerc_64(cublasHandle_t handle, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *x, int64_t incx, const cuComplex *y, int64_t incy, cuComplex *A, int64_t lda)}
     */
    public static void cublasCgerc_64(
            CublasHandle handle, long m, long n, long alpha, long x, long incx, long y, long incy, long A, long lda) {
        check(
                cublasCgerc_64,
                Downcalls.callInt(cublasCgerc_64.address(), handle.address(), m, n, alpha, x, incx, y, incy, A, lda));
    }

    /**
     * {@code cublasStatus_t cublasZgerc_64(cublasHandle_t handle, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *x, int64_t incx, const cuDoubleComplex *y, int64_t incy, cuDoubleComplex *A, int64_t lda)}
     */
    public static void cublasZgerc_64(
            CublasHandle handle, long m, long n, long alpha, long x, long incx, long y, long incy, long A, long lda) {
        check(
                cublasZgerc_64,
                Downcalls.callInt(cublasZgerc_64.address(), handle.address(), m, n, alpha, x, incx, y, incy, A, lda));
    }

    /**
     * {@code cublasStatus_t cublasSgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float *alpha, const float *A, int64_t lda, long long strideA, const float *x, int64_t incx, long long stridex, const float *beta, float *y, int64_t incy, long long stridey, int64_t batchCount)}
     */
    public static void cublasSgemvStridedBatched_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long strideA,
            long x,
            long incx,
            long stridex,
            long beta,
            long y,
            long incy,
            long stridey,
            long batchCount) {
        check(
                cublasSgemvStridedBatched_64,
                Downcalls.callInt(
                        cublasSgemvStridedBatched_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        strideA,
                        x,
                        incx,
                        stridex,
                        beta,
                        y,
                        incy,
                        stridey,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasDgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double *alpha, const double *A, int64_t lda, long long strideA, const double *x, int64_t incx, long long stridex, const double *beta, double *y, int64_t incy, long long stridey, int64_t batchCount)}
     */
    public static void cublasDgemvStridedBatched_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long strideA,
            long x,
            long incx,
            long stridex,
            long beta,
            long y,
            long incy,
            long stridey,
            long batchCount) {
        check(
                cublasDgemvStridedBatched_64,
                Downcalls.callInt(
                        cublasDgemvStridedBatched_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        strideA,
                        x,
                        incx,
                        stridex,
                        beta,
                        y,
                        incy,
                        stridey,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasCgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex *alpha, const cuComplex *A, int64_t lda, long long strideA, const cuComplex *x, int64_t incx, long long stridex, const cuComplex *beta, cuComplex *y, int64_t incy, long long stridey, int64_t batchCount)}
     */
    public static void cublasCgemvStridedBatched_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long strideA,
            long x,
            long incx,
            long stridex,
            long beta,
            long y,
            long incy,
            long stridey,
            long batchCount) {
        check(
                cublasCgemvStridedBatched_64,
                Downcalls.callInt(
                        cublasCgemvStridedBatched_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        strideA,
                        x,
                        incx,
                        stridex,
                        beta,
                        y,
                        incy,
                        stridey,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasZgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int64_t lda, long long strideA, const cuDoubleComplex *x, int64_t incx, long long stridex, const cuDoubleComplex *beta, cuDoubleComplex *y, int64_t incy, long long stridey, int64_t batchCount)}
     */
    public static void cublasZgemvStridedBatched_64(
            CublasHandle handle,
            int trans,
            long m,
            long n,
            long alpha,
            long A,
            long lda,
            long strideA,
            long x,
            long incx,
            long stridex,
            long beta,
            long y,
            long incy,
            long stridey,
            long batchCount) {
        check(
                cublasZgemvStridedBatched_64,
                Downcalls.callInt(
                        cublasZgemvStridedBatched_64.address(),
                        handle.address(),
                        trans,
                        m,
                        n,
                        alpha,
                        A,
                        lda,
                        strideA,
                        x,
                        incx,
                        stridex,
                        beta,
                        y,
                        incy,
                        stridey,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasSgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *A, int64_t lda, const float *B, int64_t ldb, const float *beta, float *C, int64_t ldc)}
     */
    public static void cublasSgemm_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long B,
            long ldb,
            long beta,
            long C,
            long ldc) {
        check(
                cublasSgemm_64,
                Downcalls.callInt(
                        cublasSgemm_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        B,
                        ldb,
                        beta,
                        C,
                        ldc));
    }

    /**
     * {@code cublasStatus_t cublasDgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double *alpha, const double *A, int64_t lda, const double *B, int64_t ldb, const double *beta, double *C, int64_t ldc)}
     */
    public static void cublasDgemm_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long B,
            long ldb,
            long beta,
            long C,
            long ldc) {
        check(
                cublasDgemm_64,
                Downcalls.callInt(
                        cublasDgemm_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        B,
                        ldb,
                        beta,
                        C,
                        ldc));
    }

    /**
     * {@code cublasStatus_t cublasCgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *A, int64_t lda, const cuComplex *B, int64_t ldb, const cuComplex *beta, cuComplex *C, int64_t ldc)}
     */
    public static void cublasCgemm_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long B,
            long ldb,
            long beta,
            long C,
            long ldc) {
        check(
                cublasCgemm_64,
                Downcalls.callInt(
                        cublasCgemm_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        B,
                        ldb,
                        beta,
                        C,
                        ldc));
    }

    /**
     * {@code cublasStatus_t cublasZgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int64_t lda, const cuDoubleComplex *B, int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *C, int64_t ldc)}
     */
    public static void cublasZgemm_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long B,
            long ldb,
            long beta,
            long C,
            long ldc) {
        check(
                cublasZgemm_64,
                Downcalls.callInt(
                        cublasZgemm_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        B,
                        ldb,
                        beta,
                        C,
                        ldc));
    }

    /**
     * {@code cublasStatus_t cublasSgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float *alpha, const float *A, int64_t lda, long long strideA, const float *B, int64_t ldb, long long strideB, const float *beta, float *C, int64_t ldc, long long strideC, int64_t batchCount)}
     */
    public static void cublasSgemmStridedBatched_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long strideA,
            long B,
            long ldb,
            long strideB,
            long beta,
            long C,
            long ldc,
            long strideC,
            long batchCount) {
        check(
                cublasSgemmStridedBatched_64,
                Downcalls.callInt(
                        cublasSgemmStridedBatched_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        strideA,
                        B,
                        ldb,
                        strideB,
                        beta,
                        C,
                        ldc,
                        strideC,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasDgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double *alpha, const double *A, int64_t lda, long long strideA, const double *B, int64_t ldb, long long strideB, const double *beta, double *C, int64_t ldc, long long strideC, int64_t batchCount)}
     */
    public static void cublasDgemmStridedBatched_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long strideA,
            long B,
            long ldb,
            long strideB,
            long beta,
            long C,
            long ldc,
            long strideC,
            long batchCount) {
        check(
                cublasDgemmStridedBatched_64,
                Downcalls.callInt(
                        cublasDgemmStridedBatched_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        strideA,
                        B,
                        ldb,
                        strideB,
                        beta,
                        C,
                        ldc,
                        strideC,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasCgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex *alpha, const cuComplex *A, int64_t lda, long long strideA, const cuComplex *B, int64_t ldb, long long strideB, const cuComplex *beta, cuComplex *C, int64_t ldc, long long strideC, int64_t batchCount)}
     */
    public static void cublasCgemmStridedBatched_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long strideA,
            long B,
            long ldb,
            long strideB,
            long beta,
            long C,
            long ldc,
            long strideC,
            long batchCount) {
        check(
                cublasCgemmStridedBatched_64,
                Downcalls.callInt(
                        cublasCgemmStridedBatched_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        strideA,
                        B,
                        ldb,
                        strideB,
                        beta,
                        C,
                        ldc,
                        strideC,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasZgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha, const cuDoubleComplex *A, int64_t lda, long long strideA, const cuDoubleComplex *B, int64_t ldb, long long strideB, const cuDoubleComplex *beta, cuDoubleComplex *C, int64_t ldc, long long strideC, int64_t batchCount)}
     */
    public static void cublasZgemmStridedBatched_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            long lda,
            long strideA,
            long B,
            long ldb,
            long strideB,
            long beta,
            long C,
            long ldc,
            long strideC,
            long batchCount) {
        check(
                cublasZgemmStridedBatched_64,
                Downcalls.callInt(
                        cublasZgemmStridedBatched_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        lda,
                        strideA,
                        B,
                        ldb,
                        strideB,
                        beta,
                        C,
                        ldc,
                        strideC,
                        batchCount));
    }

    /**
     * {@code cublasStatus_t cublasGemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *A, cudaDataType Atype, int64_t lda, const void *B, cudaDataType Btype, int64_t ldb, const void *beta, void *C, cudaDataType Ctype, int64_t ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo)}
     */
    public static void cublasGemmEx_64(
            CublasHandle handle,
            int transa,
            int transb,
            long m,
            long n,
            long k,
            long alpha,
            long A,
            int Atype,
            long lda,
            long B,
            int Btype,
            long ldb,
            long beta,
            long C,
            int Ctype,
            long ldc,
            int computeType,
            int algo) {
        check(
                cublasGemmEx_64,
                Downcalls.callInt(
                        cublasGemmEx_64.address(),
                        handle.address(),
                        transa,
                        transb,
                        m,
                        n,
                        k,
                        alpha,
                        A,
                        Atype,
                        lda,
                        B,
                        Btype,
                        ldb,
                        beta,
                        C,
                        Ctype,
                        ldc,
                        computeType,
                        algo));
    }

    /**
     * {@code cublasStatus_t cublasGemmGroupedBatchedEx_64(cublasHandle_t handle, const cublasOperation_t *transa_array, const cublasOperation_t *transb_array, const int64_t *m_array, const int64_t *n_array, const int64_t *k_array, const void *alpha_array, const void *const *Aarray, cudaDataType Atype, const int64_t *lda_array, const void *const *Barray, cudaDataType Btype, const int64_t *ldb_array, const void *beta_array, void *const *Carray, cudaDataType Ctype, const int64_t *ldc_array, int64_t group_count, const int64_t *group_size, cublasComputeType_t computeType)}
     */
    public static void cublasGemmGroupedBatchedEx_64(
            CublasHandle handle,
            MemorySegment transa_array,
            MemorySegment transb_array,
            MemorySegment m_array,
            MemorySegment n_array,
            MemorySegment k_array,
            long alpha_array,
            MemorySegment Aarray,
            int Atype,
            MemorySegment lda_array,
            MemorySegment Barray,
            int Btype,
            MemorySegment ldb_array,
            long beta_array,
            MemorySegment Carray,
            int Ctype,
            MemorySegment ldc_array,
            long group_count,
            MemorySegment group_size,
            int computeType) {
        check(
                cublasGemmGroupedBatchedEx_64,
                Downcalls.callInt(
                        cublasGemmGroupedBatchedEx_64.address(),
                        handle.address(),
                        transa_array,
                        transb_array,
                        m_array,
                        n_array,
                        k_array,
                        alpha_array,
                        Aarray,
                        Atype,
                        lda_array,
                        Barray,
                        Btype,
                        ldb_array,
                        beta_array,
                        Carray,
                        Ctype,
                        ldc_array,
                        group_count,
                        group_size,
                        computeType));
    }

    /**
     * {@code cublasStatus_t cublasLtCreate(cublasLtHandle_t *lightHandle)}
     */
    public static void cublasLtCreate(MemorySegment lightHandle) {
        check(cublasLtCreate, Downcalls.callInt(cublasLtCreate.address(), lightHandle));
    }

    /**
     * {@code cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle)}
     */
    public static void cublasLtDestroy(CublasLtHandle lightHandle) {
        check(cublasLtDestroy, Downcalls.callInt(cublasLtDestroy.address(), lightHandle.address()));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *matmulDesc, cublasComputeType_t computeType, cudaDataType scaleType)}
     */
    public static void cublasLtMatmulDescCreate(MemorySegment matmulDesc, int computeType, int scaleType) {
        check(
                cublasLtMatmulDescCreate,
                Downcalls.callInt(cublasLtMatmulDescCreate.address(), matmulDesc, computeType, scaleType));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmulDesc)}
     */
    public static void cublasLtMatmulDescDestroy(CublasLtMatmulDesc matmulDesc) {
        check(cublasLtMatmulDescDestroy, Downcalls.callInt(cublasLtMatmulDescDestroy.address(), matmulDesc.address()));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmulDesc, cublasLtMatmulDescAttributes_t attr, const void *buf, size_t sizeInBytes)}
     */
    public static void cublasLtMatmulDescSetAttribute(
            CublasLtMatmulDesc matmulDesc, int attr, long buf, long sizeInBytes) {
        check(
                cublasLtMatmulDescSetAttribute,
                Downcalls.callInt(
                        cublasLtMatmulDescSetAttribute.address(), matmulDesc.address(), attr, buf, sizeInBytes));
    }

    /**
     * {@code cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *matLayout, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld)}
     */
    public static void cublasLtMatrixLayoutCreate(MemorySegment matLayout, int type, long rows, long cols, long ld) {
        check(
                cublasLtMatrixLayoutCreate,
                Downcalls.callInt(cublasLtMatrixLayoutCreate.address(), matLayout, type, rows, cols, ld));
    }

    /**
     * {@code cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t matLayout)}
     */
    public static void cublasLtMatrixLayoutDestroy(CublasLtMatrixLayout matLayout) {
        check(
                cublasLtMatrixLayoutDestroy,
                Downcalls.callInt(cublasLtMatrixLayoutDestroy.address(), matLayout.address()));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *pref)}
     */
    public static void cublasLtMatmulPreferenceCreate(MemorySegment pref) {
        check(cublasLtMatmulPreferenceCreate, Downcalls.callInt(cublasLtMatmulPreferenceCreate.address(), pref));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t pref)}
     */
    public static void cublasLtMatmulPreferenceDestroy(CublasLtMatmulPreference pref) {
        check(
                cublasLtMatmulPreferenceDestroy,
                Downcalls.callInt(cublasLtMatmulPreferenceDestroy.address(), pref.address()));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t attr, const void *buf, size_t sizeInBytes)}
     */
    public static void cublasLtMatmulPreferenceSetAttribute(
            CublasLtMatmulPreference pref, int attr, long buf, long sizeInBytes) {
        check(
                cublasLtMatmulPreferenceSetAttribute,
                Downcalls.callInt(
                        cublasLtMatmulPreferenceSetAttribute.address(), pref.address(), attr, buf, sizeInBytes));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc, cublasLtMatmulPreference_t preference, int requestedAlgoCount, cublasLtMatmulHeuristicResult_t *heuristicResultsArray, int *returnAlgoCount)}
     */
    public static void cublasLtMatmulAlgoGetHeuristic(
            CublasLtHandle lightHandle,
            CublasLtMatmulDesc operationDesc,
            CublasLtMatrixLayout Adesc,
            CublasLtMatrixLayout Bdesc,
            CublasLtMatrixLayout Cdesc,
            CublasLtMatrixLayout Ddesc,
            CublasLtMatmulPreference preference,
            int requestedAlgoCount,
            MemorySegment heuristicResultsArray,
            MemorySegment returnAlgoCount) {
        check(
                cublasLtMatmulAlgoGetHeuristic,
                Downcalls.callInt(
                        cublasLtMatmulAlgoGetHeuristic.address(),
                        lightHandle.address(),
                        operationDesc.address(),
                        Adesc.address(),
                        Bdesc.address(),
                        Cdesc.address(),
                        Ddesc.address(),
                        preference.address(),
                        requestedAlgoCount,
                        heuristicResultsArray,
                        returnAlgoCount));
    }

    /**
     * {@code cublasStatus_t cublasLtMatmul(cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void *alpha, const void *A, cublasLtMatrixLayout_t Adesc, const void *B, cublasLtMatrixLayout_t Bdesc, const void *beta, const void *C, cublasLtMatrixLayout_t Cdesc, void *D, cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspaceSizeInBytes, cudaStream_t stream)}
     */
    public static void cublasLtMatmul(
            CublasLtHandle lightHandle,
            CublasLtMatmulDesc computeDesc,
            long alpha,
            long A,
            CublasLtMatrixLayout Adesc,
            long B,
            CublasLtMatrixLayout Bdesc,
            long beta,
            long C,
            CublasLtMatrixLayout Cdesc,
            long D,
            CublasLtMatrixLayout Ddesc,
            MemorySegment algo,
            long workspace,
            long workspaceSizeInBytes,
            CUstream stream) {
        check(
                cublasLtMatmul,
                Downcalls.callInt(
                        cublasLtMatmul.address(),
                        lightHandle.address(),
                        computeDesc.address(),
                        alpha,
                        A,
                        Adesc.address(),
                        B,
                        Bdesc.address(),
                        beta,
                        C,
                        Cdesc.address(),
                        D,
                        Ddesc.address(),
                        algo,
                        workspace,
                        workspaceSizeInBytes,
                        stream.address()));
    }

    private static void check(NativeFunction function, int status) {
        if (status != CUBLAS_STATUS_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    private static @Nullable String words(int status) {
        return cublasGetStatusString(status);
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case CUBLAS_STATUS_SUCCESS -> "CUBLAS_STATUS_SUCCESS";
            case CUBLAS_STATUS_NOT_INITIALIZED -> "CUBLAS_STATUS_NOT_INITIALIZED";
            case CUBLAS_STATUS_ALLOC_FAILED -> "CUBLAS_STATUS_ALLOC_FAILED";
            case CUBLAS_STATUS_INVALID_VALUE -> "CUBLAS_STATUS_INVALID_VALUE";
            case CUBLAS_STATUS_ARCH_MISMATCH -> "CUBLAS_STATUS_ARCH_MISMATCH";
            case CUBLAS_STATUS_MAPPING_ERROR -> "CUBLAS_STATUS_MAPPING_ERROR";
            case CUBLAS_STATUS_EXECUTION_FAILED -> "CUBLAS_STATUS_EXECUTION_FAILED";
            case CUBLAS_STATUS_INTERNAL_ERROR -> "CUBLAS_STATUS_INTERNAL_ERROR";
            case CUBLAS_STATUS_NOT_SUPPORTED -> "CUBLAS_STATUS_NOT_SUPPORTED";
            case CUBLAS_STATUS_LICENSE_ERROR -> "CUBLAS_STATUS_LICENSE_ERROR";

            default -> "status " + status;
        };
    }
}
