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
 * The C interface of libNVVM, function by function under the C names; generated, see the package. Every
 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
 * {@link UnsupportedOperationException} if the loaded one lacks the function, and {@link NativeCallException} if the call fails.
 *
 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.
 */
@SuppressWarnings("MemberName") // names are C's
public final class LibNvvm {
    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.NVVM);

    private static final NativeFunction nvvmGetErrorString = LIBRARY.function("nvvmGetErrorString");
    private static final NativeFunction nvvmVersion = LIBRARY.function("nvvmVersion");
    private static final NativeFunction nvvmIRVersion = LIBRARY.function("nvvmIRVersion");
    private static final NativeFunction nvvmLLVMVersion = LIBRARY.function("nvvmLLVMVersion");
    private static final NativeFunction nvvmCreateProgram = LIBRARY.function("nvvmCreateProgram");
    private static final NativeFunction nvvmDestroyProgram = LIBRARY.function("nvvmDestroyProgram");
    private static final NativeFunction nvvmAddModuleToProgram = LIBRARY.function("nvvmAddModuleToProgram");
    private static final NativeFunction nvvmLazyAddModuleToProgram = LIBRARY.function("nvvmLazyAddModuleToProgram");
    private static final NativeFunction nvvmCompileProgram = LIBRARY.function("nvvmCompileProgram");
    private static final NativeFunction nvvmVerifyProgram = LIBRARY.function("nvvmVerifyProgram");
    private static final NativeFunction nvvmGetCompiledResultSize = LIBRARY.function("nvvmGetCompiledResultSize");
    private static final NativeFunction nvvmGetCompiledResult = LIBRARY.function("nvvmGetCompiledResult");
    private static final NativeFunction nvvmGetProgramLogSize = LIBRARY.function("nvvmGetProgramLogSize");
    private static final NativeFunction nvvmGetProgramLog = LIBRARY.function("nvvmGetProgramLog");

    // nvvmResult

    public static final int NVVM_SUCCESS = 0;
    public static final int NVVM_ERROR_OUT_OF_MEMORY = 1;
    public static final int NVVM_ERROR_PROGRAM_CREATION_FAILURE = 2;
    public static final int NVVM_ERROR_IR_VERSION_MISMATCH = 3;
    public static final int NVVM_ERROR_INVALID_INPUT = 4;
    public static final int NVVM_ERROR_INVALID_PROGRAM = 5;
    public static final int NVVM_ERROR_INVALID_IR = 6;
    public static final int NVVM_ERROR_INVALID_OPTION = 7;
    public static final int NVVM_ERROR_NO_MODULE_IN_PROGRAM = 8;
    public static final int NVVM_ERROR_COMPILATION = 9;
    public static final int NVVM_ERROR_CANCELLED = 10;

    private LibNvvm() {}

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
     * {@code const char *nvvmGetErrorString(nvvmResult result)}
     */
    public static @Nullable String nvvmGetErrorString(int result) {
        return NativeMemory.string(Downcalls.callLong(nvvmGetErrorString.address(), result));
    }

    /**
     * {@code nvvmResult nvvmVersion(int *major, int *minor)}
     */
    public static void nvvmVersion(MemorySegment major, MemorySegment minor) {
        check(nvvmVersion, Downcalls.callInt(nvvmVersion.address(), major, minor));
    }

    /**
     * {@code nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg)}
     */
    public static void nvvmIRVersion(
            MemorySegment majorIR, MemorySegment minorIR, MemorySegment majorDbg, MemorySegment minorDbg) {
        check(nvvmIRVersion, Downcalls.callInt(nvvmIRVersion.address(), majorIR, minorIR, majorDbg, minorDbg));
    }

    /**
     * {@code nvvmResult nvvmLLVMVersion(const char *arch, int *major)}
     */
    public static void nvvmLLVMVersion(MemorySegment arch, MemorySegment major) {
        check(nvvmLLVMVersion, Downcalls.callInt(nvvmLLVMVersion.address(), arch, major));
    }

    /**
     * {@code nvvmResult nvvmCreateProgram(nvvmProgram *prog)}
     */
    public static void nvvmCreateProgram(MemorySegment prog) {
        check(nvvmCreateProgram, Downcalls.callInt(nvvmCreateProgram.address(), prog));
    }

    /**
     * {@code nvvmResult nvvmDestroyProgram(nvvmProgram *prog)}
     */
    public static void nvvmDestroyProgram(MemorySegment prog) {
        check(nvvmDestroyProgram, Downcalls.callInt(nvvmDestroyProgram.address(), prog));
    }

    /**
     * {@code nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name)}
     */
    public static void nvvmAddModuleToProgram(NvvmProgram prog, MemorySegment buffer, long size, MemorySegment name) {
        check(
                nvvmAddModuleToProgram,
                Downcalls.callInt(nvvmAddModuleToProgram.address(), prog.address(), buffer, size, name));
    }

    /**
     * {@code nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name)}
     */
    public static void nvvmLazyAddModuleToProgram(
            NvvmProgram prog, MemorySegment buffer, long size, MemorySegment name) {
        check(
                nvvmLazyAddModuleToProgram,
                Downcalls.callInt(nvvmLazyAddModuleToProgram.address(), prog.address(), buffer, size, name));
    }

    /**
     * {@code nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options)}
     */
    public static void nvvmCompileProgram(NvvmProgram prog, int numOptions, MemorySegment options) {
        check(nvvmCompileProgram, Downcalls.callInt(nvvmCompileProgram.address(), prog.address(), numOptions, options));
    }

    /**
     * {@code nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options)}
     */
    public static void nvvmVerifyProgram(NvvmProgram prog, int numOptions, MemorySegment options) {
        check(nvvmVerifyProgram, Downcalls.callInt(nvvmVerifyProgram.address(), prog.address(), numOptions, options));
    }

    /**
     * {@code nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet)}
     */
    public static void nvvmGetCompiledResultSize(NvvmProgram prog, MemorySegment bufferSizeRet) {
        check(
                nvvmGetCompiledResultSize,
                Downcalls.callInt(nvvmGetCompiledResultSize.address(), prog.address(), bufferSizeRet));
    }

    /**
     * {@code nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer)}
     */
    public static void nvvmGetCompiledResult(NvvmProgram prog, MemorySegment buffer) {
        check(nvvmGetCompiledResult, Downcalls.callInt(nvvmGetCompiledResult.address(), prog.address(), buffer));
    }

    /**
     * {@code nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet)}
     */
    public static void nvvmGetProgramLogSize(NvvmProgram prog, MemorySegment bufferSizeRet) {
        check(nvvmGetProgramLogSize, Downcalls.callInt(nvvmGetProgramLogSize.address(), prog.address(), bufferSizeRet));
    }

    /**
     * {@code nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer)}
     */
    public static void nvvmGetProgramLog(NvvmProgram prog, MemorySegment buffer) {
        check(nvvmGetProgramLog, Downcalls.callInt(nvvmGetProgramLog.address(), prog.address(), buffer));
    }

    private static void check(NativeFunction function, int status) {
        if (status != NVVM_SUCCESS) {
            throw failure(function, status);
        }
    }

    private static NativeCallException failure(NativeFunction function, int status) {
        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
    }

    private static @Nullable String words(int status) {
        return nvvmGetErrorString(status);
    }

    /** The C name of a status, or a text with its number if it is newer than this class. */
    public static String statusName(int status) {
        return switch (status) {
            case NVVM_SUCCESS -> "NVVM_SUCCESS";
            case NVVM_ERROR_OUT_OF_MEMORY -> "NVVM_ERROR_OUT_OF_MEMORY";
            case NVVM_ERROR_PROGRAM_CREATION_FAILURE -> "NVVM_ERROR_PROGRAM_CREATION_FAILURE";
            case NVVM_ERROR_IR_VERSION_MISMATCH -> "NVVM_ERROR_IR_VERSION_MISMATCH";
            case NVVM_ERROR_INVALID_INPUT -> "NVVM_ERROR_INVALID_INPUT";
            case NVVM_ERROR_INVALID_PROGRAM -> "NVVM_ERROR_INVALID_PROGRAM";
            case NVVM_ERROR_INVALID_IR -> "NVVM_ERROR_INVALID_IR";
            case NVVM_ERROR_INVALID_OPTION -> "NVVM_ERROR_INVALID_OPTION";
            case NVVM_ERROR_NO_MODULE_IN_PROGRAM -> "NVVM_ERROR_NO_MODULE_IN_PROGRAM";
            case NVVM_ERROR_COMPILATION -> "NVVM_ERROR_COMPILATION";
            case NVVM_ERROR_CANCELLED -> "NVVM_ERROR_CANCELLED";

            default -> "status " + status;
        };
    }
}
