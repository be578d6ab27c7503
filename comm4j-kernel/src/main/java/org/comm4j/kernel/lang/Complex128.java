// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** A complex number of two {@code double}s ({@code cuDoubleComplex}), a value in registers. */
public record Complex128(double re, double im) {
    /** Returns a real number. */
    public static Complex128 of(double re) {
        return new Complex128(re, 0);
    }

    public Complex128 plus(Complex128 other) {
        return new Complex128(re + other.re, im + other.im);
    }

    public Complex128 minus(Complex128 other) {
        return new Complex128(re - other.re, im - other.im);
    }

    public Complex128 times(Complex128 other) {
        return new Complex128(re * other.re - im * other.im, re * other.im + im * other.re);
    }

    public Complex128 times(double factor) {
        return new Complex128(re * factor, im * factor);
    }

    /**
     * Returns the quotient, as {@code cuCdiv} of CUDA does: without branches, and without overflow or underflow of
     * the divisor's square. It is NaN where the divisor is 0.
     */
    public Complex128 dividedBy(Complex128 divisor) {
        double scale = 1 / (Math.abs(divisor.re) + Math.abs(divisor.im));
        double c = divisor.re * scale;
        double d = divisor.im * scale;
        double a = re * scale;
        double b = im * scale;
        double norm = 1 / (c * c + d * d);
        return new Complex128((a * c + b * d) * norm, (b * c - a * d) * norm);
    }

    /** Returns {@code this * factor + summand}; each part by two operations that round once each. */
    public Complex128 fma(Complex128 factor, Complex128 summand) {
        return new Complex128(
                Math.fma(-im, factor.im, Math.fma(re, factor.re, summand.re)),
                Math.fma(im, factor.re, Math.fma(re, factor.im, summand.im)));
    }

    /** Returns the number with the other sign. */
    public Complex128 negate() {
        return new Complex128(-re, -im);
    }

    /** Returns the complex conjugate. */
    public Complex128 conj() {
        return new Complex128(re, -im);
    }

    /** Returns the modulus, without overflow; infinity if a part is infinite. */
    public double abs() {
        return DoubleMath.hypot(re, im);
    }

    /** Returns the square of the modulus. */
    public double absSquared() {
        return re * re + im * im;
    }
}
