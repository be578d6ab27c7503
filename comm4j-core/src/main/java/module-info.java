// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** The world of ranks, data types, buffers and the engine-neutral {@code Communicator}. */
@NullMarked
module org.comm4j.core {
    requires jdk.jfr;
    requires static org.jspecify;

    exports org.comm4j.core;
    exports org.comm4j.core.launch;
}
