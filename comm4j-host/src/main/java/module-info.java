// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.jspecify.annotations.NullMarked;

/** The embedded engine: processes of one machine over one shared-memory symmetric heap. */
@NullMarked
module org.comm4j.host {
    requires transitive org.comm4j.core;
    requires org.comm4j.ffi;
    requires static org.jspecify;
}
