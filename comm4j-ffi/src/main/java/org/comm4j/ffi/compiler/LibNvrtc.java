// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.compiler;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeMemory;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of NVRTC, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibNvrtc {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.NVRTC);

    private static final NativeFunction nvrtcGetErrorString = LIBRARY.function("nvrtcGetErrorString");
    private static final NativeFunction nvrtcVersion = LIBRARY.function("nvrtcVersion");
    private static final NativeFunction nvrtcGetNumSupportedArchs = LIBRARY.function("nvrtcGetNumSupportedArchs");
    private static final NativeFunction nvrtcGetSupportedArchs = LIBRARY.function("nvrtcGetSupportedArchs");
    private static final NativeFunction nvrtcCreateProgram = LIBRARY.function("nvrtcCreateProgram");
    private static final NativeFunction nvrtcDestroyProgram = LIBRARY.function("nvrtcDestroyProgram");
    private static final NativeFunction nvrtcCompileProgram = LIBRARY.function("nvrtcCompileProgram");
    private static final NativeFunction nvrtcGetPTXSize = LIBRARY.function("nvrtcGetPTXSize");
    private static final NativeFunction nvrtcGetPTX = LIBRARY.function("nvrtcGetPTX");
    private static final NativeFunction nvrtcGetCUBINSize = LIBRARY.function("nvrtcGetCUBINSize");
    private static final NativeFunction nvrtcGetCUBIN = LIBRARY.function("nvrtcGetCUBIN");
    private static final NativeFunction nvrtcGetLTOIRSize = LIBRARY.function("nvrtcGetLTOIRSize");
    private static final NativeFunction nvrtcGetLTOIR = LIBRARY.function("nvrtcGetLTOIR");
    private static final NativeFunction nvrtcGetOptiXIRSize = LIBRARY.function("nvrtcGetOptiXIRSize");
    private static final NativeFunction nvrtcGetOptiXIR = LIBRARY.function("nvrtcGetOptiXIR");
    private static final NativeFunction nvrtcGetProgramLogSize = LIBRARY.function("nvrtcGetProgramLogSize");
    private static final NativeFunction nvrtcGetProgramLog = LIBRARY.function("nvrtcGetProgramLog");
    private static final NativeFunction nvrtcAddNameExpression = LIBRARY.function("nvrtcAddNameExpression");
    private static final NativeFunction nvrtcGetLoweredName = LIBRARY.function("nvrtcGetLoweredName");
    private static final NativeFunction nvrtcGetPCHHeapSize = LIBRARY.function("nvrtcGetPCHHeapSize");
    private static final NativeFunction nvrtcSetPCHHeapSize = LIBRARY.function("nvrtcSetPCHHeapSize");
    private static final NativeFunction nvrtcGetPCHCreateStatus = LIBRARY.function("nvrtcGetPCHCreateStatus");
    private static final NativeFunction nvrtcGetPCHHeapSizeRequired = LIBRARY.function("nvrtcGetPCHHeapSizeRequired");
    private static final NativeFunction nvrtcSetFlowCallback = LIBRARY.function("nvrtcSetFlowCallback");
    private static final NativeFunction nvrtcGetTileIRSize = LIBRARY.function("nvrtcGetTileIRSize");
    private static final NativeFunction nvrtcGetTileIR = LIBRARY.function("nvrtcGetTileIR");
    private static final NativeFunction nvrtcInstallBundledHeaders = LIBRARY.function("nvrtcInstallBundledHeaders");
    private static final NativeFunction nvrtcGetBundledHeadersInfo = LIBRARY.function("nvrtcGetBundledHeadersInfo");
    private static final NativeFunction nvrtcRemoveBundledHeaders = LIBRARY.function("nvrtcRemoveBundledHeaders");

    // nvrtcResult

    public static final int NVRTC_SUCCESS = 0;
    public static final int NVRTC_ERROR_OUT_OF_MEMORY = 1;
    public static final int NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2;
    public static final int NVRTC_ERROR_INVALID_INPUT = 3;
    public static final int NVRTC_ERROR_INVALID_PROGRAM = 4;
    public static final int NVRTC_ERROR_INVALID_OPTION = 5;
    public static final int NVRTC_ERROR_COMPILATION = 6;
    public static final int NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7;
    public static final int NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8;
    public static final int NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9;
    public static final int NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10;
    public static final int NVRTC_ERROR_INTERNAL_ERROR = 11;
    public static final int NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12;
    public static final int NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13;
    public static final int NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14;
    public static final int NVRTC_ERROR_PCH_CREATE = 15;
    public static final int NVRTC_ERROR_CANCELLED = 16;
    public static final int NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17;
    public static final int NVRTC_ERROR_BUSY = 18;

    // macros

    public static final int NVRTC_INSTALL_HEADERS_FORCE_OVERWRITE = 1;
    public static final int NVRTC_INSTALL_HEADERS_NO_WAIT = 2;
    public static final int NVRTC_INSTALL_HEADERS_SKIP_IF_EXISTS = 0;

    private LibNvrtc() {}

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
     * {@code const char *nvrtcGetErrorString(nvrtcResult result)}
     */
    public static @Nullable String nvrtcGetErrorString(int result) {
        return NativeMemory.string(Downcalls.callLong(nvrtcGetErrorString.address(), result));
    }

    /**
     * {@code nvrtcResult nvrtcVersion(int *major, int *minor)}
     */
    public static void nvrtcVersion(MemorySegment major, MemorySegment minor) {
        check(nvrtcVersion, Downcalls.callInt(nvrtcVersion.address(), major, minor));
    }

    /**
     * {@code nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs)}
     */
    public static void nvrtcGetNumSupportedArchs(MemorySegment numArchs) {
        check(nvrtcGetNumSupportedArchs, Downcalls.callInt(nvrtcGetNumSupportedArchs.address(), numArchs));
    }

    /**
     * {@code nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs)}
     */
    public static void nvrtcGetSupportedArchs(MemorySegment supportedArchs) {
        check(nvrtcGetSupportedArchs, Downcalls.callInt(nvrtcGetSupportedArchs.address(), supportedArchs));
    }

    /**
     * {@code nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders, const char *const *headers, const char *const *includeNames)}
     */
    public static void nvrtcCreateProgram(
            MemorySegment prog,
            MemorySegment src,
            MemorySegment name,
            int numHeaders,
            MemorySegment headers,
            MemorySegment includeNames) {
        check(
                nvrtcCreateProgram,
                Downcalls.callInt(nvrtcCreateProgram.address(), prog, src, name, numHeaders, headers, includeNames));
    }

    /**
     * {@code nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog)}
     */
    public static void nvrtcDestroyProgram(MemorySegment prog) {
        check(nvrtcDestroyProgram, Downcalls.callInt(nvrtcDestroyProgram.address(), prog));
    }

    /**
     * {@code nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options)}
     */
    public static void nvrtcCompileProgram(NvrtcProgram prog, int numOptions, MemorySegment options) {
        check(
                nvrtcCompileProgram,
                Downcalls.callInt(nvrtcCompileProgram.address(), prog.address(), numOptions, options));
    }

    /**
     * {@code nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet)}
     */
    public static void nvrtcGetPTXSize(NvrtcProgram prog, MemorySegment ptxSizeRet) {
        check(nvrtcGetPTXSize, Downcalls.callInt(nvrtcGetPTXSize.address(), prog.address(), ptxSizeRet));
    }

    /**
     * {@code nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx)}
     */
    public static void nvrtcGetPTX(NvrtcProgram prog, MemorySegment ptx) {
        check(nvrtcGetPTX, Downcalls.callInt(nvrtcGetPTX.address(), prog.address(), ptx));
    }

    /**
     * {@code nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet)}
     */
    public static void nvrtcGetCUBINSize(NvrtcProgram prog, MemorySegment cubinSizeRet) {
        check(nvrtcGetCUBINSize, Downcalls.callInt(nvrtcGetCUBINSize.address(), prog.address(), cubinSizeRet));
    }

    /**
     * {@code nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin)}
     */
    public static void nvrtcGetCUBIN(NvrtcProgram prog, MemorySegment cubin) {
        check(nvrtcGetCUBIN, Downcalls.callInt(nvrtcGetCUBIN.address(), prog.address(), cubin));
    }

    /**
     * {@code nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet)}
     */
    public static void nvrtcGetLTOIRSize(NvrtcProgram prog, MemorySegment LTOIRSizeRet) {
        check(nvrtcGetLTOIRSize, Downcalls.callInt(nvrtcGetLTOIRSize.address(), prog.address(), LTOIRSizeRet));
    }

    /**
     * {@code nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR)}
     */
    public static void nvrtcGetLTOIR(NvrtcProgram prog, MemorySegment LTOIR) {
        check(nvrtcGetLTOIR, Downcalls.callInt(nvrtcGetLTOIR.address(), prog.address(), LTOIR));
    }

    /**
     * {@code nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet)}
     */
    public static void nvrtcGetOptiXIRSize(NvrtcProgram prog, MemorySegment optixirSizeRet) {
        check(nvrtcGetOptiXIRSize, Downcalls.callInt(nvrtcGetOptiXIRSize.address(), prog.address(), optixirSizeRet));
    }

    /**
     * {@code nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir)}
     */
    public static void nvrtcGetOptiXIR(NvrtcProgram prog, MemorySegment optixir) {
        check(nvrtcGetOptiXIR, Downcalls.callInt(nvrtcGetOptiXIR.address(), prog.address(), optixir));
    }

    /**
     * {@code nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet)}
     */
    public static void nvrtcGetProgramLogSize(NvrtcProgram prog, MemorySegment logSizeRet) {
        check(nvrtcGetProgramLogSize, Downcalls.callInt(nvrtcGetProgramLogSize.address(), prog.address(), logSizeRet));
    }

    /**
     * {@code nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log)}
     */
    public static void nvrtcGetProgramLog(NvrtcProgram prog, MemorySegment log) {
        check(nvrtcGetProgramLog, Downcalls.callInt(nvrtcGetProgramLog.address(), prog.address(), log));
    }

    /**
     * {@code nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression)}
     */
    public static void nvrtcAddNameExpression(NvrtcProgram prog, MemorySegment name_expression) {
        check(
                nvrtcAddNameExpression,
                Downcalls.callInt(nvrtcAddNameExpression.address(), prog.address(), name_expression));
    }

    /**
     * {@code nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression, const char **lowered_name)}
     */
    public static void nvrtcGetLoweredName(
            NvrtcProgram prog, MemorySegment name_expression, MemorySegment lowered_name) {
        check(
                nvrtcGetLoweredName,
                Downcalls.callInt(nvrtcGetLoweredName.address(), prog.address(), name_expression, lowered_name));
    }

    /**
     * {@code nvrtcResult nvrtcGetPCHHeapSize(size_t *ret)}
     */
    public static void nvrtcGetPCHHeapSize(MemorySegment ret) {
        check(nvrtcGetPCHHeapSize, Downcalls.callInt(nvrtcGetPCHHeapSize.address(), ret));
    }

    /**
     * {@code nvrtcResult nvrtcSetPCHHeapSize(size_t size)}
     */
    public static void nvrtcSetPCHHeapSize(long size) {
        check(nvrtcSetPCHHeapSize, Downcalls.callInt(nvrtcSetPCHHeapSize.address(), size));
    }

    /**
     * {@code nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog)}
     */
    public static int nvrtcGetPCHCreateStatus(NvrtcProgram prog) {
        return answer(
                nvrtcGetPCHCreateStatus,
                Downcalls.callInt(nvrtcGetPCHCreateStatus.address(), prog.address()),
                NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED);
    }

    /**
     * {@code nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size)}
     */
    public static void nvrtcGetPCHHeapSizeRequired(NvrtcProgram prog, MemorySegment size) {
        check(
                nvrtcGetPCHHeapSizeRequired,
                Downcalls.callInt(nvrtcGetPCHHeapSizeRequired.address(), prog.address(), size));
    }

    /**
     * {@code nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*)(void *, void *) callback, void *payload)}
     */
    public static void nvrtcSetFlowCallback(NvrtcProgram prog, MemorySegment callback, long payload) {
        check(
                nvrtcSetFlowCallback,
                Downcalls.callInt(nvrtcSetFlowCallback.address(), prog.address(), callback, payload));
    }

    /**
     * {@code nvrtcResult nvrtcGetTileIRSize(nvrtcProgram prog, size_t *TileIRSizeRet)}
     */
    public static void nvrtcGetTileIRSize(NvrtcProgram prog, MemorySegment TileIRSizeRet) {
        check(nvrtcGetTileIRSize, Downcalls.callInt(nvrtcGetTileIRSize.address(), prog.address(), TileIRSizeRet));
    }

    /**
     * {@code nvrtcResult nvrtcGetTileIR(nvrtcProgram prog, char *TileIR)}
     */
    public static void nvrtcGetTileIR(NvrtcProgram prog, MemorySegment TileIR) {
        check(nvrtcGetTileIR, Downcalls.callInt(nvrtcGetTileIR.address(), prog.address(), TileIR));
    }

    /**
     * {@code nvrtcResult nvrtcInstallBundledHeaders(const char *installPath, unsigned int flags, const char **errorLog)}
     */
    public static void nvrtcInstallBundledHeaders(MemorySegment installPath, int flags, MemorySegment errorLog) {
        check(
                nvrtcInstallBundledHeaders,
                Downcalls.callInt(nvrtcInstallBundledHeaders.address(), installPath, flags, errorLog));
    }

    /**
     * {@code nvrtcResult nvrtcGetBundledHeadersInfo(nvrtcBundledHeadersInfo *info, const char **errorLog)}
     */
    public static void nvrtcGetBundledHeadersInfo(MemorySegment info, MemorySegment errorLog) {
        check(nvrtcGetBundledHeadersInfo, Downcalls.callInt(nvrtcGetBundledHeadersInfo.address(), info, errorLog));
    }

    /**
     * {@code nvrtcResult nvrtcRemoveBundledHeaders(const char *installPath, const char **errorLog)}
     */
    public static void nvrtcRemoveBundledHeaders(MemorySegment installPath, MemorySegment errorLog) {
        check(nvrtcRemoveBundledHeaders, Downcalls.callInt(nvrtcRemoveBundledHeaders.address(), installPath, errorLog));
    }

    private static void check(NativeFunction function, int status) {
        if (status != NVRTC_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static int answer(NativeFunction function, int status, int also) {
        if (status != also) {
            check(function, status);
        }
        return status;
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    private static @Nullable String words(int status) {
        return nvrtcGetErrorString(status);
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case NVRTC_SUCCESS -> "NVRTC_SUCCESS";
            case NVRTC_ERROR_OUT_OF_MEMORY -> "NVRTC_ERROR_OUT_OF_MEMORY";
            case NVRTC_ERROR_PROGRAM_CREATION_FAILURE -> "NVRTC_ERROR_PROGRAM_CREATION_FAILURE";
            case NVRTC_ERROR_INVALID_INPUT -> "NVRTC_ERROR_INVALID_INPUT";
            case NVRTC_ERROR_INVALID_PROGRAM -> "NVRTC_ERROR_INVALID_PROGRAM";
            case NVRTC_ERROR_INVALID_OPTION -> "NVRTC_ERROR_INVALID_OPTION";
            case NVRTC_ERROR_COMPILATION -> "NVRTC_ERROR_COMPILATION";
            case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE -> "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
            case NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION ->
                "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
            case NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION -> "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
            case NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID -> "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
            case NVRTC_ERROR_INTERNAL_ERROR -> "NVRTC_ERROR_INTERNAL_ERROR";
            case NVRTC_ERROR_TIME_FILE_WRITE_FAILED -> "NVRTC_ERROR_TIME_FILE_WRITE_FAILED";
            case NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED -> "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED";
            case NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED -> "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED";
            case NVRTC_ERROR_PCH_CREATE -> "NVRTC_ERROR_PCH_CREATE";
            case NVRTC_ERROR_CANCELLED -> "NVRTC_ERROR_CANCELLED";
            case NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED -> "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED";
            case NVRTC_ERROR_BUSY -> "NVRTC_ERROR_BUSY";

            default -> "status " + status;
        };
    }
}
