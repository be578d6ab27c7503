// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Distributed arrays: how they are laid out over ranks, and their algebra. */
@NullMarked
module org.comm4j.array {
    requires static org.jspecify;
    requires transitive org.comm4j.math;

    exports org.comm4j.array;
}
