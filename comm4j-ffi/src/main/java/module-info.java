// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The bridge to native code: libraries found and loaded, their C interfaces, operating-system calls. The only module that uses restricted methods of java.lang.foreign. */
@NullMarked
module org.comm4j.ffi {
    requires static org.jspecify;

    exports org.comm4j.ffi;
    exports org.comm4j.ffi.cblas;
    exports org.comm4j.ffi.compiler;
    exports org.comm4j.ffi.cublas;
    exports org.comm4j.ffi.cuda;
    exports org.comm4j.ffi.nccl;
    exports org.comm4j.ffi.nvshmem;
    exports org.comm4j.ffi.shmem;
}
