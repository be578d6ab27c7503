// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The embedded engine: processes of one machine over shared memory. */
@NullMarked
module org.comm4j.host {
    requires static org.jspecify;
    requires transitive org.comm4j.core;
    requires org.comm4j.ffi;

    exports org.comm4j.host;

    provides org.comm4j.core.spi.Engine with
            org.comm4j.host.HostEngine;
}
