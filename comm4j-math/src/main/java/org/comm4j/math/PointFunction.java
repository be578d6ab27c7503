// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.io.Serializable;
import org.comm4j.kernel.lang.F64Ptr;

/**
 * A function of one number, a step and parameters, such as a soft threshold: a static method, which is called on a
 * processor and compiled into a kernel for a GPU. Being serializable is what lets the compiler find it; nothing is
 * serialized. Make one object for a method and use it often.
 */
@FunctionalInterface
public interface PointFunction extends Serializable {
    /** The function whose value is its argument. */
    PointFunction IDENTITY = (value, _, _) -> value;

    /** The square. */
    PointFunction SQUARE = (value, _, _) -> value * value;

    /**
     * Returns the value.
     *
     * @param value a real element, or the modulus of an element or of a group of them
     * @param step that a solver may change between runs
     * @param parameters of the function, which stay
     */
    double of(double value, double step, F64Ptr parameters);
}
