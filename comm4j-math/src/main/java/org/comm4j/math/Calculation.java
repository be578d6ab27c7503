// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.io.Serializable;
import org.comm4j.kernel.lang.F64Ptr;

/**
 * A calculation with numbers that stay where the vectors are, such as {@code Cg::step}: a method that is called on a
 * processor and compiled into a kernel for a GPU, where one thread runs it. Being serializable is what lets the
 * compiler find it; nothing is serialized.
 */
@FunctionalInterface
public interface Calculation extends Serializable {
    /** Calculates with numbers in up to three places. */
    void run(F64Ptr a, F64Ptr b, F64Ptr c);
}
