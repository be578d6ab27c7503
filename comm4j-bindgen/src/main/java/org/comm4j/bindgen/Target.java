// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the Java class of a library looks like where the C interface does not say it.
 *
 * @param status the enum that functions return to say how they went, or empty if they do not
 * @param success its constant for a success
 * @param alsoSuccess another constant that is no failure, or empty
 * @param answers functions whose status may be an answer, with the constant that is one: they return it
 * @param words a Java method {@code @Nullable String words(int status)}: what the library says about a failure
 * @param comments whose words the functions' descriptions are, or empty if they have none
 */
record Target(
        String packageName,
        String className,
        String libraryName,
        String status,
        String success,
        String alsoSuccess,
        Map<String, String> answers,
        String words,
        String comments) {

    /** Vectors, matrices and factors, in the memory of the host or of a device. */
    private static final Pattern CUBLAS_DATA = Pattern.compile("(const )?(float|double|cuComplex|cuDoubleComplex) \\*");

    /** Lines and work areas, in the memory of a device. */
    private static final Pattern CUFFT_DATA =
            Pattern.compile("(cufftReal|cufftDoubleReal|cufftComplex|cufftDoubleComplex|void) \\*");

    /** Whether functions say how they went. */
    boolean hasStatus() {
        return !status.isEmpty();
    }

    /** Whether what a function returns says how it went. */
    boolean isStatus(SymbolTable.Function function) {
        return libraryName.equals("NVSHMEM")
                ? function.result().equals("int") && !Nvshmem.ANSWERS.contains(function.name())
                : function.result().equals(status);
    }

    /** Whether a pointer that is none to void leads to data of the device, or in a symmetric heap. */
    boolean isData(SymbolTable.Declaration parameter) {
        return switch (libraryName) {
            case "NVSHMEM" -> parameter.type().endsWith("*") && Nvshmem.DATA.contains(parameter.name());
            case "OPENSHMEM" -> parameter.name().equals("target");
            case "CBLAS" -> parameter.type().endsWith("*");
            case "CUFFT" -> CUFFT_DATA.matcher(parameter.type()).matches();
            case "CUBLAS" -> CUBLAS_DATA.matcher(parameter.type()).matches();
            default -> false;
        };
    }

    /** What is to be known of all functions, as further text of the class's Javadoc. */
    String more() {
        return !libraryName.equals("NVSHMEM") ? "" : """


            * <p>Functions that differ in a C type, or in a number of bits, are one method here; its first argument says which is meant.
            * A value of that type is the low bits of a {@code long}, on the way there and back: {@code Float.floatToRawIntBits(x)} for a
            * float. Pointers to elements and signals are addresses.
            *
            * <p>Most functions end the process when NVSHMEM is not initialised, which no exception can stop: each says what it does then.
            * To be asked before: {@link #nvshmemx_init_status}.\
            """;
    }

    /**
     * Whether a pointer to void leads to memory of the host that the function reads or writes before it returns: as a
     * segment, it cannot be freed meanwhile.
     */
    boolean isHost(SymbolTable.Declaration parameter) {
        return libraryName.equals("CUDA") && List.of("srcHost", "dstHost").contains(parameter.name());
    }

    /** What else is to be known of a function, or an empty text. */
    String note(SymbolTable.Function function) {
        return libraryName.equals("NVSHMEM") ? Nvshmem.beforeInitialisation(function.name()) : "";
    }

    static Target of(Library library) {
        return switch (library) {
            case CUDA ->
                new Target(
                        "org.comm4j.ffi.cuda",
                        "LibCuda",
                        "CUDA",
                        "CUresult",
                        "CUDA_SUCCESS",
                        "",
                        Map.of("cuStreamQuery", "CUDA_ERROR_NOT_READY", "cuEventQuery", "CUDA_ERROR_NOT_READY"),
                        """
                        private static @Nullable String words(int status) {
                            try (Arena arena = Arena.ofConfined()) {
                                MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
                                int result = Downcalls.callInt(cuGetErrorString.address(), status, text);
                                return result == CUDA_SUCCESS ? NativeMemory.string(text.get(ValueLayout.JAVA_LONG, 0)) : null;
                            }
                        }
                        """,
                        "");
            case NCCL ->
                new Target(
                        "org.comm4j.ffi.nccl",
                        "LibNccl",
                        "NCCL",
                        "ncclResult_t",
                        "ncclSuccess",
                        "ncclInProgress",
                        Map.of(),
                        """
                        /** The library's text for the status, and what it noted last: one text for the whole process, so perhaps of another thread. */
                        private static @Nullable String words(int status) {
                            String last = ncclGetLastError(NcclComm.NULL);
                            String text = ncclGetErrorString(status);
                            return last == null || last.isBlank() ? text : text + "; NCCL's last error: " + last.strip();
                        }
                        """,
                        "The functions' descriptions are its comments, copyright NVIDIA CORPORATION, Apache License"
                                + " 2.0.");
            case NVSHMEM ->
                new Target(
                        "org.comm4j.ffi.nvshmem",
                        "LibNvshmem",
                        "NVSHMEM",
                        "nvshmemx_status",
                        "NVSHMEMX_SUCCESS",
                        "",
                        Map.of(),
                        """
                        /** The library has no texts for statuses: what went wrong it writes to the standard error. */
                        @SuppressWarnings("UnusedVariable") // the same for all libraries
                        private static String words(int status) {
                            return "NVSHMEM writes the reason to the standard error";
                        }
                        """,
                        "");
            case OPENSHMEM ->
                new Target("org.comm4j.ffi.shmem", "LibOpenshmem", "OPENSHMEM", "", "", "", Map.of(), "", "");
            case NVRTC ->
                new Target(
                        "org.comm4j.ffi.compiler",
                        "LibNvrtc",
                        "NVRTC",
                        "nvrtcResult",
                        "NVRTC_SUCCESS",
                        "",
                        Map.of("nvrtcGetPCHCreateStatus", "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED"),
                        """
                        private static @Nullable String words(int status) {
                            return nvrtcGetErrorString(status);
                        }
                        """,
                        "");
            case NVJITLINK ->
                new Target(
                        "org.comm4j.ffi.compiler",
                        "LibNvJitLink",
                        "NVJITLINK",
                        "nvJitLinkResult",
                        "NVJITLINK_SUCCESS",
                        "",
                        Map.of(),
                        """
                        /** The library has no texts for statuses; each linking has a log (nvJitLinkGetErrorLog). */
                        @SuppressWarnings("UnusedVariable") // the same for all libraries
                        private static @Nullable String words(int status) {
                            return null;
                        }
                        """,
                        "");
            case NVVM ->
                new Target(
                        "org.comm4j.ffi.compiler",
                        "LibNvvm",
                        "NVVM",
                        "nvvmResult",
                        "NVVM_SUCCESS",
                        "",
                        Map.of(),
                        """
                        private static @Nullable String words(int status) {
                            return nvvmGetErrorString(status);
                        }
                        """,
                        "");
            case CUBLAS ->
                new Target(
                        "org.comm4j.ffi.cublas",
                        "LibCublas",
                        "CUBLAS",
                        "cublasStatus_t",
                        "CUBLAS_STATUS_SUCCESS",
                        "",
                        Map.of(),
                        """
                        private static @Nullable String words(int status) {
                            return cublasGetStatusString(status);
                        }
                        """,
                        "");
            case CUFFT ->
                new Target(
                        "org.comm4j.ffi.cufft",
                        "LibCufft",
                        "CUFFT",
                        "cufftResult",
                        "CUFFT_SUCCESS",
                        "",
                        Map.of(),
                        """
                        /** The library has no texts for statuses. */
                        @SuppressWarnings("UnusedVariable") // the same for all libraries
                        private static @Nullable String words(int status) {
                            return null;
                        }
                        """,
                        "");
            case CBLAS -> new Target("org.comm4j.ffi.cblas", "LibCblas", "CBLAS", "", "", "", Map.of(), "", "");
            case MPI -> new Target("org.comm4j.ffi.mpi", "LibMpi", "MPI", "", "", "", Map.of(), "", "");
        };
    }
}
