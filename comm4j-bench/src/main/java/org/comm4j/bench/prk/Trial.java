// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.jspecify.annotations.Nullable;

/** A kernel at work on one PE, with its memory. */
public interface Trial extends AutoCloseable {
    /**
     * Collective: the next pass. Allocates nothing.
     *
     * @param number 0, 1, … without gaps; beyond the kernel's last one they go on as if there were more of them
     */
    void pass(int number);

    /**
     * Collective, after the last pass: what is wrong with the result, in the same words on all PEs; null if it is
     * right.
     */
    @Nullable
    String error();

    /** Frees symmetric memory; every PE calls it. */
    @Override
    void close();
}
