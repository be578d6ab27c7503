// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Computation of one rank: vector algebra, reductions, matrix products, random numbers. */
@NullMarked
module org.comm4j.math {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.cuda;
    requires org.comm4j.ffi;
    requires transitive org.comm4j.kernel;

    exports org.comm4j.math;

    // Kernels that run on the CPU, too, and the records that they take.
    opens org.comm4j.math to
            org.comm4j.kernel;
}
