// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** NCCL: collectives of GPUs, one-sided communication, and the communicator of the engine {@code nccl}. */
@NullMarked
module org.comm4j.nccl {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.cuda;
    requires transitive org.comm4j.ffi;

    exports org.comm4j.nccl;

    provides org.comm4j.core.spi.Engine with
            org.comm4j.nccl.NcclEngine;
}
