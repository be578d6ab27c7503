// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** The {@code comm4j} command. */
@NullMarked
module org.comm4j.cli {
    requires info.picocli;
    requires java.management;
    requires jdk.management;
    requires org.comm4j.apps;
    requires org.comm4j.bench;
    requires org.comm4j.bind;
    requires org.comm4j.core;
    requires org.comm4j.cuda;
    requires org.comm4j.device;
    requires org.comm4j.ffi;
    requires org.comm4j.host;
    requires org.comm4j.shmem;
    requires org.comm4j.mpi;
    requires org.comm4j.kernel;
    requires org.comm4j.moe;
    requires org.comm4j.nccl;
    requires org.comm4j.nvshmem;
    requires org.comm4j.operator;
    requires static org.jspecify;

    // picocli fills annotated fields by reflection.
    opens org.comm4j.cli to
            info.picocli;
}
