// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

/** What a checked run has found. */
public final class KernelRace extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KernelRace(String message) {
        super(message);
    }
}
