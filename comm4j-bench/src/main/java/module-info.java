// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** Benchmarks in the peers' output formats, and the Jacobi solver. */
@NullMarked
module org.comm4j.bench {
    requires java.desktop;
    requires java.management;
    requires jdk.management;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.device;
    requires transitive org.comm4j.host;
    requires org.comm4j.ffi;
    requires transitive org.comm4j.kernel;
    requires transitive org.comm4j.moe;
    requires transitive org.comm4j.nccl;
    requires transitive org.comm4j.nvshmem;
    requires transitive org.comm4j.operator;
    requires transitive org.comm4j.shmem;
    requires static org.jspecify;
    requires xchart;

    exports org.comm4j.bench;
    exports org.comm4j.bench.jacobi;
    exports org.comm4j.bench.kernels;
    exports org.comm4j.bench.moe;
    exports org.comm4j.bench.operators;
    exports org.comm4j.bench.prk;
    exports org.comm4j.bench.suite;

    // Kernels that run on the CPU, too.
    opens org.comm4j.bench to
            org.comm4j.kernel;
    opens org.comm4j.bench.jacobi to
            org.comm4j.kernel;
    opens org.comm4j.bench.kernels to
            org.comm4j.kernel;
    opens org.comm4j.bench.moe to
            org.comm4j.kernel;
    opens org.comm4j.bench.operators to
            org.comm4j.kernel;
    opens org.comm4j.bench.prk to
            org.comm4j.kernel;
    opens org.comm4j.bench.suite to
            org.comm4j.kernel;
}
