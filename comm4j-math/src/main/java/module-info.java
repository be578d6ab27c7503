// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Computation of one rank: vector algebra, reductions, matrix products, random numbers. */
@NullMarked
module org.comm4j.math {
    requires static org.jspecify;
    requires transitive org.comm4j.core;

    exports org.comm4j.math;
}
