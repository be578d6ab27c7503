// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/**
 * NVSHMEM: symmetric memory of GPUs, one-sided communication, teams; and the communicator of the engine {@code
 * nvshmem}.
 */
@NullMarked
module org.comm4j.nvshmem {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires transitive org.comm4j.cuda;
    requires transitive org.comm4j.ffi;

    exports org.comm4j.nvshmem;

    provides org.comm4j.core.spi.Engine with
            org.comm4j.nvshmem.NvshmemEngine;
    provides org.comm4j.core.spi.PgasEngine with
            org.comm4j.nvshmem.NvshmemEngine;
    provides org.comm4j.core.spi.Rehearsal with
            org.comm4j.nvshmem.NvshmemRehearsal;
}
