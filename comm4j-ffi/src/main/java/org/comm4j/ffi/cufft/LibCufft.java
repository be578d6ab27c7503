// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cufft;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of cuFFT, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibCufft {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.CUFFT);

    private static final NativeFunction cufftCreate = LIBRARY.function("cufftCreate");
    private static final NativeFunction cufftDestroy = LIBRARY.function("cufftDestroy");
    private static final NativeFunction cufftGetProperty = LIBRARY.function("cufftGetProperty");
    private static final NativeFunction cufftMakePlanMany64 = LIBRARY.function("cufftMakePlanMany64");
    private static final NativeFunction cufftSetAutoAllocation = LIBRARY.function("cufftSetAutoAllocation");
    private static final NativeFunction cufftSetWorkArea = LIBRARY.function("cufftSetWorkArea");
    private static final NativeFunction cufftSetStream = LIBRARY.function("cufftSetStream");
    private static final NativeFunction cufftExecC2C = LIBRARY.function("cufftExecC2C");
    private static final NativeFunction cufftExecR2C = LIBRARY.function("cufftExecR2C");
    private static final NativeFunction cufftExecC2R = LIBRARY.function("cufftExecC2R");
    private static final NativeFunction cufftExecZ2Z = LIBRARY.function("cufftExecZ2Z");
    private static final NativeFunction cufftExecD2Z = LIBRARY.function("cufftExecD2Z");
    private static final NativeFunction cufftExecZ2D = LIBRARY.function("cufftExecZ2D");

    // cufftResult

    public static final int CUFFT_SUCCESS = 0;
    public static final int CUFFT_INVALID_PLAN = 1;
    public static final int CUFFT_ALLOC_FAILED = 2;
    public static final int CUFFT_INVALID_TYPE = 3;
    public static final int CUFFT_INVALID_VALUE = 4;
    public static final int CUFFT_INTERNAL_ERROR = 5;
    public static final int CUFFT_EXEC_FAILED = 6;
    public static final int CUFFT_SETUP_FAILED = 7;
    public static final int CUFFT_INVALID_SIZE = 8;
    public static final int CUFFT_UNALIGNED_DATA = 9;
    public static final int CUFFT_INVALID_DEVICE = 11;
    public static final int CUFFT_NO_WORKSPACE = 13;
    public static final int CUFFT_NOT_IMPLEMENTED = 14;
    public static final int CUFFT_NOT_SUPPORTED = 16;
    public static final int CUFFT_MISSING_DEPENDENCY = 17;
    public static final int CUFFT_NVRTC_FAILURE = 18;
    public static final int CUFFT_NVJITLINK_FAILURE = 19;
    public static final int CUFFT_NVSHMEM_FAILURE = 20;

    // libraryPropertyType

    public static final int MAJOR_VERSION = 0;
    public static final int MINOR_VERSION = 1;
    public static final int PATCH_LEVEL = 2;

    // cufftType

    public static final int CUFFT_R2C = 42;
    public static final int CUFFT_C2R = 44;
    public static final int CUFFT_C2C = 41;
    public static final int CUFFT_D2Z = 106;
    public static final int CUFFT_Z2D = 108;
    public static final int CUFFT_Z2Z = 105;

    private LibCufft() {}

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
     * {@code cufftResult cufftCreate(cufftHandle *handle)}
     */
    public static void cufftCreate(MemorySegment handle) {
        check(cufftCreate, Downcalls.callInt(cufftCreate.address(), handle));
    }

    /**
     * {@code cufftResult cufftDestroy(cufftHandle plan)}
     */
    public static void cufftDestroy(int plan) {
        check(cufftDestroy, Downcalls.callInt(cufftDestroy.address(), plan));
    }

    /**
     * {@code cufftResult cufftGetProperty(libraryPropertyType type, int *value)}
     */
    public static void cufftGetProperty(int type, MemorySegment value) {
        check(cufftGetProperty, Downcalls.callInt(cufftGetProperty.address(), type, value));
    }

    /**
     * {@code cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride, long long idist, long long *onembed, long long ostride, long long odist, cufftType type, long long batch, size_t *workSize)}
     */
    public static void cufftMakePlanMany64(
            int plan,
            int rank,
            MemorySegment n,
            MemorySegment inembed,
            long istride,
            long idist,
            MemorySegment onembed,
            long ostride,
            long odist,
            int type,
            long batch,
            MemorySegment workSize) {
        check(
                cufftMakePlanMany64,
                Downcalls.callInt(
                        cufftMakePlanMany64.address(),
                        plan,
                        rank,
                        n,
                        inembed,
                        istride,
                        idist,
                        onembed,
                        ostride,
                        odist,
                        type,
                        batch,
                        workSize));
    }

    /**
     * {@code cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate)}
     */
    public static void cufftSetAutoAllocation(int plan, int autoAllocate) {
        check(cufftSetAutoAllocation, Downcalls.callInt(cufftSetAutoAllocation.address(), plan, autoAllocate));
    }

    /**
     * {@code cufftResult cufftSetWorkArea(cufftHandle plan, void *workArea)}
     */
    public static void cufftSetWorkArea(int plan, long workArea) {
        check(cufftSetWorkArea, Downcalls.callInt(cufftSetWorkArea.address(), plan, workArea));
    }

    /**
     * {@code cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)}
     */
    public static void cufftSetStream(int plan, CUstream stream) {
        check(cufftSetStream, Downcalls.callInt(cufftSetStream.address(), plan, stream.address()));
    }

    /**
     * {@code cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata, int direction)}
     */
    public static void cufftExecC2C(int plan, long idata, long odata, int direction) {
        check(cufftExecC2C, Downcalls.callInt(cufftExecC2C.address(), plan, idata, odata, direction));
    }

    /**
     * {@code cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata)}
     */
    public static void cufftExecR2C(int plan, long idata, long odata) {
        check(cufftExecR2C, Downcalls.callInt(cufftExecR2C.address(), plan, idata, odata));
    }

    /**
     * {@code cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata)}
     */
    public static void cufftExecC2R(int plan, long idata, long odata) {
        check(cufftExecC2R, Downcalls.callInt(cufftExecC2R.address(), plan, idata, odata));
    }

    /**
     * {@code cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata, int direction)}
     */
    public static void cufftExecZ2Z(int plan, long idata, long odata, int direction) {
        check(cufftExecZ2Z, Downcalls.callInt(cufftExecZ2Z.address(), plan, idata, odata, direction));
    }

    /**
     * {@code cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata)}
     */
    public static void cufftExecD2Z(int plan, long idata, long odata) {
        check(cufftExecD2Z, Downcalls.callInt(cufftExecD2Z.address(), plan, idata, odata));
    }

    /**
     * {@code cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata)}
     */
    public static void cufftExecZ2D(int plan, long idata, long odata) {
        check(cufftExecZ2D, Downcalls.callInt(cufftExecZ2D.address(), plan, idata, odata));
    }

    private static void check(NativeFunction function, int status) {
        if (status != CUFFT_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    /** The library has no texts for statuses. */
    @SuppressWarnings("UnusedVariable") // the same for all libraries
    private static @Nullable String words(int status) {
        return null;
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case CUFFT_SUCCESS -> "CUFFT_SUCCESS";
            case CUFFT_INVALID_PLAN -> "CUFFT_INVALID_PLAN";
            case CUFFT_ALLOC_FAILED -> "CUFFT_ALLOC_FAILED";
            case CUFFT_INVALID_TYPE -> "CUFFT_INVALID_TYPE";
            case CUFFT_INVALID_VALUE -> "CUFFT_INVALID_VALUE";
            case CUFFT_INTERNAL_ERROR -> "CUFFT_INTERNAL_ERROR";
            case CUFFT_EXEC_FAILED -> "CUFFT_EXEC_FAILED";
            case CUFFT_SETUP_FAILED -> "CUFFT_SETUP_FAILED";
            case CUFFT_INVALID_SIZE -> "CUFFT_INVALID_SIZE";
            case CUFFT_UNALIGNED_DATA -> "CUFFT_UNALIGNED_DATA";
            case CUFFT_INVALID_DEVICE -> "CUFFT_INVALID_DEVICE";
            case CUFFT_NO_WORKSPACE -> "CUFFT_NO_WORKSPACE";
            case CUFFT_NOT_IMPLEMENTED -> "CUFFT_NOT_IMPLEMENTED";
            case CUFFT_NOT_SUPPORTED -> "CUFFT_NOT_SUPPORTED";
            case CUFFT_MISSING_DEPENDENCY -> "CUFFT_MISSING_DEPENDENCY";
            case CUFFT_NVRTC_FAILURE -> "CUFFT_NVRTC_FAILURE";
            case CUFFT_NVJITLINK_FAILURE -> "CUFFT_NVJITLINK_FAILURE";
            case CUFFT_NVSHMEM_FAILURE -> "CUFFT_NVSHMEM_FAILURE";

            default -> "status " + status;
        };
    }
}
