// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/**
 * A complex number: what a dot product of complex vectors is.
 *
 * @param real part
 * @param imaginary part
 */
public record Complex(double real, double imaginary) {
    /** Returns the modulus, without overflow. */
    public double abs() {
        return Math.hypot(real, imaginary);
    }

    /** Returns the complex conjugate. */
    public Complex conjugate() {
        return new Complex(real, -imaginary);
    }

    @Override
    public String toString() {
        return real + (imaginary < 0 || 1 / imaginary < 0 ? " - " : " + ") + Math.abs(imaginary) + "i";
    }
}
