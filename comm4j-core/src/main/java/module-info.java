// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** Who am I, how many are we, and the vocabulary of communication: worlds, buffers, communicators. */
@NullMarked
module org.comm4j.core {
    requires jdk.net;
    requires transitive jdk.jfr;
    requires static org.jspecify;

    exports org.comm4j.core;
    exports org.comm4j.core.launch;
    exports org.comm4j.core.spi;

    uses org.comm4j.core.spi.Bootstrap;
    uses org.comm4j.core.spi.Engine;
    uses org.comm4j.core.spi.Rehearsal;
    uses org.comm4j.core.spi.PgasEngine;
    uses org.comm4j.core.spi.RemoteMemory;
}
