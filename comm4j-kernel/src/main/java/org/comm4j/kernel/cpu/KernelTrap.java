// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

/** The kernel has called {@code Gpu.trap()}. */
final class KernelTrap extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KernelTrap() {
        super("Gpu.trap()");
    }
}
