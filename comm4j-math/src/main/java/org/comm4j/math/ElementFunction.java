// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.io.Serializable;

/**
 * A function of numbers that is applied element by element: a lambda, which is called on a processor and compiled into
 * a kernel for a GPU. Being serializable is what lets the compiler find its body; nothing is serialized. It computes in
 * double precision, and may capture numbers, which are constants of the kernel.
 */
public sealed interface ElementFunction extends Serializable {
    /** Returns the number of arguments. */
    int count();

    /** A function of one number. */
    @FunctionalInterface
    non-sealed interface Of1 extends ElementFunction {
        /** Returns the value. */
        double of(double x);

        @Override
        default int count() {
            return 1;
        }
    }

    /** A function of two numbers. */
    @FunctionalInterface
    non-sealed interface Of2 extends ElementFunction {
        /** Returns the value. */
        double of(double x, double y);

        @Override
        default int count() {
            return 2;
        }
    }

    /** A function of three numbers. */
    @FunctionalInterface
    non-sealed interface Of3 extends ElementFunction {
        /** Returns the value. */
        double of(double x, double y, double z);

        @Override
        default int count() {
            return 3;
        }
    }
}
