// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * A factor of a vector operation: a constant, or a {@link Scalar} that lies where the vectors do and that the host need
 * not know.
 */
public sealed interface Coefficient permits Coefficient.Constant, Scalar {
    /** The number 1. */
    Coefficient ONE = of(1);

    /** The number 0: an operand with this factor is not read. */
    Coefficient ZERO = of(0);

    /** The number −1. */
    Coefficient MINUS_ONE = of(-1);

    /** Returns a real constant. */
    static Coefficient of(double value) {
        return new Constant(value, 0);
    }

    /** Returns a complex constant. */
    static Coefficient of(double real, double imaginary) {
        return new Constant(real, imaginary);
    }

    /** Returns the real part; a scalar waits until the computations that produce it are done. */
    double real();

    /** Returns the imaginary part; a scalar waits until the computations that produce it are done. */
    double imaginary();

    /**
     * A number that the host knows.
     *
     * @param real part
     * @param imaginary part
     */
    record Constant(double real, double imaginary) implements Coefficient {}
}
