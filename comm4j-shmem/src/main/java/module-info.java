// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** OpenSHMEM: a symmetric heap, one-sided communication, teams and collectives. */
@NullMarked
module org.comm4j.shmem {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires org.comm4j.ffi;
    requires org.comm4j.host;

    exports org.comm4j.shmem;

    provides org.comm4j.core.spi.PgasEngine with
            org.comm4j.shmem.OpenShmemEngine;
}
