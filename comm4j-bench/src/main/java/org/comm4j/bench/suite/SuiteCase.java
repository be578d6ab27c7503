// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.function.IntFunction;

/**
 * Kernel of the suite.
 *
 * @param name of the problem
 * @param kernels the class of its kernels
 * @param small the size for a test on the CPU
 * @param large the size that is measured
 * @param tolerance the largest error of a right result, with CUDA's arithmetic
 * @param problem makes the problem of a size
 */
public record SuiteCase(
        String name, Class<?> kernels, int small, int large, double tolerance, IntFunction<SuiteProblem> problem) {
    /** The file in CUDA C++ with its kernels, a resource beside this class. */
    String file() {
        String name = kernels.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1) + ".cu";
    }

    @Override
    public String toString() {
        return name;
    }
}
