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
    /** Returns the modulus, without overflow; infinity if a part is infinite, even beside NaN, as NumPy does. */
    public double abs() {
        return modulus(real, imaginary);
    }

    /**
     * Returns √(a² + b²) without overflow, by operations that have the same result on processors and GPUs, which
     * {@link Math#hypot} has not: for kernels, and where its last bit counts. It is infinity if a or b is infinite.
     */
    public static double modulus(double a, double b) {
        double largest = Math.max(Math.abs(a), Math.abs(b));
        if (largest > 0x1p-480 && largest < 0x1p500 || largest == 0) {
            return Math.sqrt(a * a + b * b);
        }
        if (Math.abs(a) == Double.POSITIVE_INFINITY || Math.abs(b) == Double.POSITIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double scale = largest >= 1 ? 0x1p600 : 0x1p-600;
        double u = a / scale;
        double v = b / scale;
        return Math.sqrt(u * u + v * v) * scale;
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
