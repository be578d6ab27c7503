// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** GPU kernels in Java: the compiler, and the executor on the CPU. */
@NullMarked
module org.comm4j.kernel {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.cuda;
    requires org.comm4j.ffi;

    exports org.comm4j.kernel;
    exports org.comm4j.kernel.lang;

    provides org.comm4j.core.spi.Rehearsal with
            org.comm4j.kernel.KernelRehearsal;
}
