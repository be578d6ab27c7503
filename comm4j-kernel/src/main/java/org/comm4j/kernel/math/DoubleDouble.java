// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

/**
 * Sum of two doubles with about 106 significant bits: {@code hi} is the sum rounded, {@code lo} the rest. Dekker (1971)
 * and Knuth describe the error-free sums and products that the operations use. Nothing is said of results that
 * overflow.
 */
record DoubleDouble(double hi, double lo) {
    static final DoubleDouble ZERO = of(0);
    static final DoubleDouble ONE = of(1);
    static final DoubleDouble LN2 = new DoubleDouble(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
    static final DoubleDouble LN10 = new DoubleDouble(0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53);
    static final DoubleDouble PI = new DoubleDouble(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53);

    /** Steps by which {@link #exp} halves its argument before the series. */
    private static final int HALVINGS = 9;

    private static final int TERMS = 12;

    static DoubleDouble of(double value) {
        return new DoubleDouble(value, 0);
    }

    /** Returns a product of two doubles without error. */
    static DoubleDouble product(double a, double b) {
        double hi = a * b;
        return new DoubleDouble(hi, Math.fma(a, b, -hi));
    }

    /** Returns a sum of two doubles without error. */
    static DoubleDouble sum(double a, double b) {
        double hi = a + b;
        double part = hi - a;
        return new DoubleDouble(hi, (a - (hi - part)) + (b - part));
    }

    /** Returns a normalised sum of which the first is the larger one. */
    private static DoubleDouble quick(double hi, double lo) {
        double sum = hi + lo;
        return new DoubleDouble(sum, lo - (sum - hi));
    }

    DoubleDouble plus(DoubleDouble b) {
        DoubleDouble high = sum(hi, b.hi);
        DoubleDouble low = sum(lo, b.lo);
        DoubleDouble first = quick(high.hi, high.lo + low.hi);
        return quick(first.hi, first.lo + low.lo);
    }

    DoubleDouble plus(double b) {
        return plus(of(b));
    }

    DoubleDouble minus(DoubleDouble b) {
        return plus(b.negate());
    }

    DoubleDouble negate() {
        return new DoubleDouble(-hi, -lo);
    }

    DoubleDouble times(DoubleDouble b) {
        DoubleDouble high = product(hi, b.hi);
        return quick(high.hi, high.lo + (hi * b.lo + lo * b.hi));
    }

    DoubleDouble times(double b) {
        DoubleDouble high = product(hi, b);
        return quick(high.hi, high.lo + lo * b);
    }

    DoubleDouble over(DoubleDouble b) {
        double first = hi / b.hi;
        DoubleDouble rest = minus(b.times(first));
        double second = rest.hi / b.hi;
        double third = rest.minus(b.times(second)).hi / b.hi;
        return quick(first, second).plus(third);
    }

    DoubleDouble over(double b) {
        return over(of(b));
    }

    /** Returns the product with a power of two, without error. */
    DoubleDouble scale(int exponent) {
        return new DoubleDouble(Math.scalb(hi, exponent), Math.scalb(lo, exponent));
    }

    /** Returns the square root of a number above 0. */
    DoubleDouble sqrt() {
        double root = Math.sqrt(hi);
        double rest = minus(product(root, root)).hi;
        return quick(root, rest / (2 * root));
    }

    /** Returns e to the power of it; the exponent of two of the result has to be one of a double. */
    DoubleDouble exp() {
        double count = Math.rint(hi / LN2.hi);
        DoubleDouble rest = minus(LN2.times(count)).scale(-HALVINGS);
        // Of exp(rest) - 1, whose squares lose nothing to the 1.
        DoubleDouble power = ZERO;
        for (int i = TERMS; i > 0; i--) {
            power = power.plus(ONE).times(rest).over(i);
        }
        for (int i = 0; i < HALVINGS; i++) {
            power = power.plus(power).plus(power.times(power));
        }
        return power.plus(ONE).scale((int) count);
    }

    /** Returns the natural logarithm of a normal number above 0. */
    DoubleDouble log() {
        int exponent = Math.getExponent(hi);
        DoubleDouble part = scale(-exponent);
        if (part.hi > 1.5) {
            part = part.scale(-1);
            exponent++;
        }
        // Newton's step for exp(y) = part, twice: the first begins with 53 bits.
        DoubleDouble y = of(Math.log(part.hi));
        y = y.plus(part.times(y.negate().exp())).plus(-1);
        return LN2.times(exponent).plus(y);
    }

    /** Returns it rounded to a double. */
    double value() {
        return hi + lo;
    }
}
