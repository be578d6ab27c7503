// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * The bridge to native code: libraries found and loaded, their C interfaces, operating-system calls. The only module
 * that uses restricted methods of java.lang.foreign.
 */
@NullMarked
@SuppressWarnings("module") // those that packages are exported to are compiled later
module org.comm4j.ffi {
    requires static org.jspecify;

    exports org.comm4j.ffi;
    exports org.comm4j.ffi.handle;

    // C functions take any address, so nobody else calls them through a module that has native access.
    exports org.comm4j.ffi.address to
            org.comm4j.shmem;
    exports org.comm4j.ffi.cblas to
            org.comm4j.math;
    exports org.comm4j.ffi.cuda to
            org.comm4j.bench,
            org.comm4j.cli,
            org.comm4j.cuda,
            org.comm4j.kernel,
            org.comm4j.nccl,
            org.comm4j.nvshmem;
    exports org.comm4j.ffi.compiler to
            org.comm4j.cuda,
            org.comm4j.device,
            org.comm4j.kernel;
    exports org.comm4j.ffi.cublas to
            org.comm4j.bench,
            org.comm4j.math;
    exports org.comm4j.ffi.cufft to
            org.comm4j.math;
    exports org.comm4j.ffi.mpi to
            org.comm4j.mpi;
    exports org.comm4j.ffi.nccl to
            org.comm4j.device,
            org.comm4j.nccl;
    exports org.comm4j.ffi.nvshmem to
            org.comm4j.bench,
            org.comm4j.device,
            org.comm4j.nvshmem;
    exports org.comm4j.ffi.shmem to
            org.comm4j.shmem;
}
