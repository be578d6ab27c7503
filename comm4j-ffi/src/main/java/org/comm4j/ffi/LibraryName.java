// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The native libraries that comm4j uses, and what is known about where they lie. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are immutable, the type does not say so
public enum LibraryName {
    /** The CUDA driver; it comes with NVIDIA's kernel driver, never with a toolkit. */
    CUDA(
            "CUDA driver",
            "libcuda.so",
            List.of("1"),
            "org.comm4j.cuda.library",
            List.of(),
            List.of("/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/run/opengl-driver/lib"),
            "cuDriverGetVersion",
            "Install NVIDIA's driver; in a container, start it with access to the GPUs."),
    /** NCCL: collectives between GPUs. */
    NCCL(
            "NCCL",
            "libnccl.so",
            List.of("2"),
            "org.comm4j.nccl.library",
            List.of("NCCL_HOME", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of(),
            "ncclGetVersion",
            "Install it with \"pip install nvidia-nccl-cu13\" or as the package libnccl2, or set NCCL_HOME to its"
                    + " folder."),
    /**
     * NVSHMEM's host library: memory that several GPUs share. Its functions for the version are safe before it is
     * initialised.
     */
    NVSHMEM(
            "NVSHMEM",
            "libnvshmem_host.so",
            List.of("3"),
            "org.comm4j.nvshmem.library",
            List.of("NVSHMEM_HOME", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of(),
            "nvshmemx_vendor_get_version_info",
            "Install it with \"pip install nvidia-nvshmem-cu13\", or set NVSHMEM_HOME to its folder."),
    /** OpenSHMEM, as Open MPI has it; what the JVM needs to bear it is in {@link OpenshmemProcess}. */
    OPENSHMEM(
            "OpenSHMEM",
            "liboshmem.so",
            List.of("40"),
            "org.comm4j.shmem.library",
            List.of("MPI_HOME", "CONDA_PREFIX"),
            List.of("/usr/lib/x86_64-linux-gnu/openmpi", "/usr/lib/aarch64-linux-gnu/openmpi"),
            "shmem_info_get_version",
            "Install it as the package libopenmpi3 (openmpi-bin has oshrun), or set MPI_HOME to the folder of an Open"
                    + " MPI that was built with OpenSHMEM."),
    /** NVRTC: CUDA C++ to PTX and machine code. */
    NVRTC(
            "NVRTC",
            "libnvrtc.so",
            List.of("13", "12"),
            "org.comm4j.nvrtc.library",
            List.of("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of("/usr/local/cuda"),
            "nvrtcVersion",
            "Install it with \"pip install nvidia-cuda-nvrtc\" or with a CUDA toolkit, and set CUDA_HOME to the"
                    + " latter."),
    /** nvJitLink: links compiled device code. */
    NVJITLINK(
            "nvJitLink",
            "libnvJitLink.so",
            List.of("13", "12"),
            "org.comm4j.nvjitlink.library",
            List.of("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of("/usr/local/cuda"),
            "nvJitLinkVersion",
            "Install it with \"pip install nvidia-nvjitlink\" or with a CUDA toolkit, and set CUDA_HOME to the"
                    + " latter."),
    /** libNVVM: NVVM IR to PTX. */
    NVVM(
            "libNVVM",
            "libnvvm.so",
            List.of("4"),
            "org.comm4j.nvvm.library",
            List.of("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of("/usr/local/cuda"),
            "nvvmVersion",
            "Install it with \"pip install nvidia-nvvm\" or with a CUDA toolkit, and set CUDA_HOME to the latter."),
    /** cuBLAS: products of matrices on a GPU. */
    CUBLAS(
            "cuBLAS",
            "libcublas.so",
            List.of("13", "12"),
            "org.comm4j.cublas.library",
            List.of("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of("/usr/local/cuda"),
            "cublasGetProperty",
            "Install it with \"pip install nvidia-cublas\" or with a CUDA toolkit, and set CUDA_HOME to the latter."),
    /** cuFFT: Fourier transforms on a GPU. */
    CUFFT(
            "cuFFT",
            "libcufft.so",
            List.of("12", "11"),
            "org.comm4j.cufft.library",
            List.of("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"),
            List.of("/usr/local/cuda"),
            "cufftGetProperty",
            "Install it with \"pip install nvidia-cufft\" or with a CUDA toolkit, and set CUDA_HOME to the latter."),
    /** CBLAS: products of matrices on processors, by OpenBLAS, oneMKL, BLIS or the distribution's BLAS. */
    CBLAS(
            "CBLAS",
            "libopenblas.so",
            List.of("0"),
            "org.comm4j.cblas.library",
            List.of("OPENBLAS_HOME", "MKLROOT", "CONDA_PREFIX"),
            List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"),
            "openblas_get_config",
            "Install OpenBLAS as the package libopenblas0 or with \"pip install scipy-openblas32\". Without it loops in"
                    + " Java multiply matrices, which takes a few times as long."),
    /** MPI, whoever made it; that of the launcher that started this process comes first. */
    MPI(
            "MPI",
            "libmpi.so",
            List.of("40", "12", "80"),
            "org.comm4j.mpi.library",
            List.of("COMM4J_MPI", "MPI_HOME", "I_MPI_ROOT", "CONDA_PREFIX"),
            List.of(
                    "/usr/lib/x86_64-linux-gnu",
                    "/usr/lib/aarch64-linux-gnu",
                    "/usr/lib64/openmpi",
                    "/usr/lib64/mpich"),
            "MPI_Get_version",
            "Install it as the package openmpi-bin or mpich, or with \"pip install mpich\"; on a cluster load its"
                    + " module, and start the program with its launcher; or set COMM4J_MPI to the library's file.");

    /** Other libraries with the functions of MPI: Debian's MPICH, and the standard ABI. */
    private static final List<String> OTHER_MPI = List.of("libmpich.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0");

    /** Other libraries with the functions of CBLAS, in the order of preference. */
    private static final List<String> OTHER_CBLAS = List.of(
            "libscipy_openblas.so",
            "libscipy_openblas64_.so",
            "libmkl_rt.so.2",
            "libmkl_rt.so.3",
            "libblis.so.4",
            "libblis.so.3",
            "libcblas.so.3",
            "libblas.so.3");

    private final String text;
    private final String file;
    private final List<String> suffixes;
    private final String property;
    private final List<String> variables;
    private final List<String> folders;
    private final String versionFunction;
    private final String advice;

    LibraryName(
            String text,
            String file,
            List<String> suffixes,
            String property,
            List<String> variables,
            List<String> folders,
            String versionFunction,
            String advice) {
        this.text = text;
        this.file = file;
        this.suffixes = suffixes;
        this.property = property;
        this.variables = variables;
        this.folders = folders;
        this.versionFunction = versionFunction;
        this.advice = advice;
    }

    /** The name as people write it. */
    public String text() {
        return text;
    }

    /** The system property that names the library's file, or a folder that has it. */
    public String property() {
        return property;
    }

    /** What to do where the library is missing. */
    public String advice() {
        return advice;
    }

    /** Environment variables that name the root of an installation. */
    List<String> variables() {
        return variables;
    }

    /** Roots of usual installations that the loader's path does not have everywhere. */
    List<String> folders() {
        return folders;
    }

    /** Names for the loader, the preferred one first. */
    List<String> sonames() {
        Stream<String> own = suffixes.stream().map(suffix -> file + "." + suffix);
        return switch (this) {
            case CBLAS -> Stream.concat(own, OTHER_CBLAS.stream()).toList();
            case MPI -> Stream.concat(own, OTHER_MPI.stream()).toList();
            default -> own.toList();
        };
    }

    /** How the library's file is called in an installation. */
    Pattern filePattern() {
        return Pattern.compile(Pattern.quote(file) + "(\\.\\d+)*");
    }

    /** Whether wheels of Python may have it; the driver and what comes with MPI are the machine's. */
    boolean isInWheels() {
        return this != CUDA && this != OPENSHMEM;
    }

    /** Folders of wheels that are not in the one of NVIDIA's wheels. */
    List<String> ownWheels() {
        return switch (this) {
            case CBLAS -> List.of("scipy_openblas32", "scipy_openblas64");
            // These wheels put their files where a distribution would, below the environment's prefix.
            case MPI -> List.of("../../..");
            default -> List.of();
        };
    }

    String versionFunction() {
        return versionFunction;
    }

    /**
     * Returns what a version is of, for tables and messages: functions of MPI and OpenSHMEM tell that of the standard
     * which the library follows, those of the others that of the library.
     */
    String described(String version) {
        return switch (this) {
            case MPI, OPENSHMEM -> version + " of the standard";
            default -> version;
        };
    }

    /**
     * In how many numbers the version comes: packed into one, or apart, of cuBLAS and cuFFT one a call; where it is
     * three, and of OpenSHMEM, the function has no status.
     */
    int versionNumbers() {
        return switch (this) {
            case CUDA, NCCL, CBLAS -> 1;
            case NVRTC, NVJITLINK, NVVM, OPENSHMEM, MPI -> 2;
            case NVSHMEM, CUBLAS, CUFFT -> 3;
        };
    }

    /** The version as people write it, from what the library's function gave. */
    String version(int... numbers) {
        int first = numbers[0];
        return switch (this) {
            case CBLAS -> "";
            case CUDA -> first / 1000 + "." + first % 1000 / 10;
            case NCCL -> first / 10000 + "." + first % 10000 / 100 + "." + first % 100;
            case NVRTC, NVJITLINK, NVVM, OPENSHMEM, MPI -> first + "." + numbers[1];
            case NVSHMEM, CUBLAS, CUFFT -> first + "." + numbers[1] + "." + numbers[2];
        };
    }
}
