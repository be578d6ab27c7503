// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** A complex number of two {@code float}s ({@code cuFloatComplex}), a value in registers. */
public record Complex64(float re, float im) {
    /** Returns a real number. */
    public static Complex64 of(float re) {
        return new Complex64(re, 0);
    }

    public Complex64 plus(Complex64 other) {
        return new Complex64(re + other.re, im + other.im);
    }

    public Complex64 minus(Complex64 other) {
        return new Complex64(re - other.re, im - other.im);
    }

    public Complex64 times(Complex64 other) {
        return new Complex64(re * other.re - im * other.im, re * other.im + im * other.re);
    }

    public Complex64 times(float factor) {
        return new Complex64(re * factor, im * factor);
    }

    /**
     * Returns the quotient, as {@code cuCdiv} of CUDA does: without branches, and without overflow or underflow of
     * the divisor's square. It is NaN where the divisor is 0.
     */
    public Complex64 dividedBy(Complex64 divisor) {
        float scale = 1f / (Math.abs(divisor.re) + Math.abs(divisor.im));
        float c = divisor.re * scale;
        float d = divisor.im * scale;
        float a = re * scale;
        float b = im * scale;
        float norm = 1f / (c * c + d * d);
        return new Complex64((a * c + b * d) * norm, (b * c - a * d) * norm);
    }

    /** Returns {@code this * factor + summand}; each part by two operations that round once each. */
    public Complex64 fma(Complex64 factor, Complex64 summand) {
        return new Complex64(
                Math.fma(-im, factor.im, Math.fma(re, factor.re, summand.re)),
                Math.fma(im, factor.re, Math.fma(re, factor.im, summand.im)));
    }

    /** Returns the number with the other sign. */
    public Complex64 negate() {
        return new Complex64(-re, -im);
    }

    /** Returns the complex conjugate. */
    public Complex64 conj() {
        return new Complex64(re, -im);
    }

    /** Returns the modulus, without overflow; infinity if a part is infinite. */
    public float abs() {
        return FloatMath.hypot(re, im);
    }

    /** Returns the square of the modulus. */
    public float absSquared() {
        return re * re + im * im;
    }
}
