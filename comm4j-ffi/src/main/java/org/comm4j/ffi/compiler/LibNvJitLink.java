// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.compiler;

import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeFunction;
import org.comm4j.ffi.NativeLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The C interface of nvJitLink, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibNvJitLink {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.NVJITLINK);

    private static final NativeFunction nvJitLinkCreate = LIBRARY.function("nvJitLinkCreate");
    private static final NativeFunction nvJitLinkDestroy = LIBRARY.function("nvJitLinkDestroy");
    private static final NativeFunction nvJitLinkAddData = LIBRARY.function("nvJitLinkAddData");
    private static final NativeFunction nvJitLinkAddFile = LIBRARY.function("nvJitLinkAddFile");
    private static final NativeFunction nvJitLinkComplete = LIBRARY.function("nvJitLinkComplete");
    private static final NativeFunction nvJitLinkGetLinkedCubinSize = LIBRARY.function("nvJitLinkGetLinkedCubinSize");
    private static final NativeFunction nvJitLinkGetLinkedCubin = LIBRARY.function("nvJitLinkGetLinkedCubin");
    private static final NativeFunction nvJitLinkGetLinkedPtxSize = LIBRARY.function("nvJitLinkGetLinkedPtxSize");
    private static final NativeFunction nvJitLinkGetLinkedPtx = LIBRARY.function("nvJitLinkGetLinkedPtx");
    private static final NativeFunction nvJitLinkGetLinkedLTOIRSize = LIBRARY.function("nvJitLinkGetLinkedLTOIRSize");
    private static final NativeFunction nvJitLinkGetLinkedLTOIR = LIBRARY.function("nvJitLinkGetLinkedLTOIR");
    private static final NativeFunction nvJitLinkGetErrorLogSize = LIBRARY.function("nvJitLinkGetErrorLogSize");
    private static final NativeFunction nvJitLinkGetErrorLog = LIBRARY.function("nvJitLinkGetErrorLog");
    private static final NativeFunction nvJitLinkGetInfoLogSize = LIBRARY.function("nvJitLinkGetInfoLogSize");
    private static final NativeFunction nvJitLinkGetInfoLog = LIBRARY.function("nvJitLinkGetInfoLog");
    private static final NativeFunction nvJitLinkVersion = LIBRARY.function("nvJitLinkVersion");

    // nvJitLinkResult

    public static final int NVJITLINK_SUCCESS = 0;
    public static final int NVJITLINK_ERROR_UNRECOGNIZED_OPTION = 1;
    public static final int NVJITLINK_ERROR_MISSING_ARCH = 2;
    public static final int NVJITLINK_ERROR_INVALID_INPUT = 3;
    public static final int NVJITLINK_ERROR_PTX_COMPILE = 4;
    public static final int NVJITLINK_ERROR_NVVM_COMPILE = 5;
    public static final int NVJITLINK_ERROR_INTERNAL = 6;
    public static final int NVJITLINK_ERROR_THREADPOOL = 7;
    public static final int NVJITLINK_ERROR_UNRECOGNIZED_INPUT = 8;
    public static final int NVJITLINK_ERROR_FINALIZE = 9;
    public static final int NVJITLINK_ERROR_NULL_INPUT = 10;
    public static final int NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS = 11;
    public static final int NVJITLINK_ERROR_INCORRECT_INPUT_TYPE = 12;
    public static final int NVJITLINK_ERROR_ARCH_MISMATCH = 13;
    public static final int NVJITLINK_ERROR_OUTDATED_LIBRARY = 14;
    public static final int NVJITLINK_ERROR_MISSING_FATBIN = 15;
    public static final int NVJITLINK_ERROR_UNRECOGNIZED_ARCH = 16;
    public static final int NVJITLINK_ERROR_UNSUPPORTED_ARCH = 17;
    public static final int NVJITLINK_ERROR_LTO_NOT_ENABLED = 18;

    // nvJitLinkInputType

    public static final int NVJITLINK_INPUT_NONE = 0;
    public static final int NVJITLINK_INPUT_CUBIN = 1;
    public static final int NVJITLINK_INPUT_PTX = 2;
    public static final int NVJITLINK_INPUT_LTOIR = 3;
    public static final int NVJITLINK_INPUT_FATBIN = 4;
    public static final int NVJITLINK_INPUT_OBJECT = 5;
    public static final int NVJITLINK_INPUT_LIBRARY = 6;
    public static final int NVJITLINK_INPUT_INDEX = 7;
    public static final int NVJITLINK_INPUT_ANY = 10;

    private LibNvJitLink() {}

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
     * {@code nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions, const char **options)}
     */
    public static void nvJitLinkCreate(MemorySegment handle, int numOptions, MemorySegment options) {
        check(nvJitLinkCreate, Downcalls.callInt(nvJitLinkCreate.address(), handle, numOptions, options));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)}
     */
    public static void nvJitLinkDestroy(MemorySegment handle) {
        check(nvJitLinkDestroy, Downcalls.callInt(nvJitLinkDestroy.address(), handle));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data, size_t size, const char *name)}
     */
    public static void nvJitLinkAddData(
            NvJitLinkHandle handle, int inputType, long data, long size, MemorySegment name) {
        check(
                nvJitLinkAddData,
                Downcalls.callInt(nvJitLinkAddData.address(), handle.address(), inputType, data, size, name));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType inputType, const char *fileName)}
     */
    public static void nvJitLinkAddFile(NvJitLinkHandle handle, int inputType, MemorySegment fileName) {
        check(nvJitLinkAddFile, Downcalls.callInt(nvJitLinkAddFile.address(), handle.address(), inputType, fileName));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)}
     */
    public static void nvJitLinkComplete(NvJitLinkHandle handle) {
        check(nvJitLinkComplete, Downcalls.callInt(nvJitLinkComplete.address(), handle.address()));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size)}
     */
    public static void nvJitLinkGetLinkedCubinSize(NvJitLinkHandle handle, MemorySegment size) {
        check(
                nvJitLinkGetLinkedCubinSize,
                Downcalls.callInt(nvJitLinkGetLinkedCubinSize.address(), handle.address(), size));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)}
     */
    public static void nvJitLinkGetLinkedCubin(NvJitLinkHandle handle, long cubin) {
        check(nvJitLinkGetLinkedCubin, Downcalls.callInt(nvJitLinkGetLinkedCubin.address(), handle.address(), cubin));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)}
     */
    public static void nvJitLinkGetLinkedPtxSize(NvJitLinkHandle handle, MemorySegment size) {
        check(
                nvJitLinkGetLinkedPtxSize,
                Downcalls.callInt(nvJitLinkGetLinkedPtxSize.address(), handle.address(), size));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)}
     */
    public static void nvJitLinkGetLinkedPtx(NvJitLinkHandle handle, MemorySegment ptx) {
        check(nvJitLinkGetLinkedPtx, Downcalls.callInt(nvJitLinkGetLinkedPtx.address(), handle.address(), ptx));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetLinkedLTOIRSize(nvJitLinkHandle handle, size_t *size)}
     */
    public static void nvJitLinkGetLinkedLTOIRSize(NvJitLinkHandle handle, MemorySegment size) {
        check(
                nvJitLinkGetLinkedLTOIRSize,
                Downcalls.callInt(nvJitLinkGetLinkedLTOIRSize.address(), handle.address(), size));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetLinkedLTOIR(nvJitLinkHandle handle, void *ltoir)}
     */
    public static void nvJitLinkGetLinkedLTOIR(NvJitLinkHandle handle, long ltoir) {
        check(nvJitLinkGetLinkedLTOIR, Downcalls.callInt(nvJitLinkGetLinkedLTOIR.address(), handle.address(), ltoir));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)}
     */
    public static void nvJitLinkGetErrorLogSize(NvJitLinkHandle handle, MemorySegment size) {
        check(nvJitLinkGetErrorLogSize, Downcalls.callInt(nvJitLinkGetErrorLogSize.address(), handle.address(), size));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)}
     */
    public static void nvJitLinkGetErrorLog(NvJitLinkHandle handle, MemorySegment log) {
        check(nvJitLinkGetErrorLog, Downcalls.callInt(nvJitLinkGetErrorLog.address(), handle.address(), log));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)}
     */
    public static void nvJitLinkGetInfoLogSize(NvJitLinkHandle handle, MemorySegment size) {
        check(nvJitLinkGetInfoLogSize, Downcalls.callInt(nvJitLinkGetInfoLogSize.address(), handle.address(), size));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)}
     */
    public static void nvJitLinkGetInfoLog(NvJitLinkHandle handle, MemorySegment log) {
        check(nvJitLinkGetInfoLog, Downcalls.callInt(nvJitLinkGetInfoLog.address(), handle.address(), log));
    }

    /**
     * {@code nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor)}
     */
    public static void nvJitLinkVersion(MemorySegment major, MemorySegment minor) {
        check(nvJitLinkVersion, Downcalls.callInt(nvJitLinkVersion.address(), major, minor));
    }

    private static void check(NativeFunction function, int status) {
        if (status != NVJITLINK_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    /** The library has no texts for statuses; each linking has a log (nvJitLinkGetErrorLog). */
    @SuppressWarnings("UnusedVariable") // the same for all libraries
    private static @Nullable String words(int status) {
        return null;
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case NVJITLINK_SUCCESS -> "NVJITLINK_SUCCESS";
            case NVJITLINK_ERROR_UNRECOGNIZED_OPTION -> "NVJITLINK_ERROR_UNRECOGNIZED_OPTION";
            case NVJITLINK_ERROR_MISSING_ARCH -> "NVJITLINK_ERROR_MISSING_ARCH";
            case NVJITLINK_ERROR_INVALID_INPUT -> "NVJITLINK_ERROR_INVALID_INPUT";
            case NVJITLINK_ERROR_PTX_COMPILE -> "NVJITLINK_ERROR_PTX_COMPILE";
            case NVJITLINK_ERROR_NVVM_COMPILE -> "NVJITLINK_ERROR_NVVM_COMPILE";
            case NVJITLINK_ERROR_INTERNAL -> "NVJITLINK_ERROR_INTERNAL";
            case NVJITLINK_ERROR_THREADPOOL -> "NVJITLINK_ERROR_THREADPOOL";
            case NVJITLINK_ERROR_UNRECOGNIZED_INPUT -> "NVJITLINK_ERROR_UNRECOGNIZED_INPUT";
            case NVJITLINK_ERROR_FINALIZE -> "NVJITLINK_ERROR_FINALIZE";
            case NVJITLINK_ERROR_NULL_INPUT -> "NVJITLINK_ERROR_NULL_INPUT";
            case NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS -> "NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS";
            case NVJITLINK_ERROR_INCORRECT_INPUT_TYPE -> "NVJITLINK_ERROR_INCORRECT_INPUT_TYPE";
            case NVJITLINK_ERROR_ARCH_MISMATCH -> "NVJITLINK_ERROR_ARCH_MISMATCH";
            case NVJITLINK_ERROR_OUTDATED_LIBRARY -> "NVJITLINK_ERROR_OUTDATED_LIBRARY";
            case NVJITLINK_ERROR_MISSING_FATBIN -> "NVJITLINK_ERROR_MISSING_FATBIN";
            case NVJITLINK_ERROR_UNRECOGNIZED_ARCH -> "NVJITLINK_ERROR_UNRECOGNIZED_ARCH";
            case NVJITLINK_ERROR_UNSUPPORTED_ARCH -> "NVJITLINK_ERROR_UNSUPPORTED_ARCH";
            case NVJITLINK_ERROR_LTO_NOT_ENABLED -> "NVJITLINK_ERROR_LTO_NOT_ENABLED";

            default -> "status " + status;
        };
    }
}
