// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

/** What a checked run has found. */
final class KernelRace extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KernelRace(String message) {
        super(message);
    }
}
