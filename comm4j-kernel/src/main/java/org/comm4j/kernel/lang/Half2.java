// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** Two of {@link Half} in 32 bits ({@code __half2}); all arithmetic is on both at once, rounded to nearest. */
public record Half2(int bits) {
    public static Half2 of(float low, float high) {
        return of(Half.of(low), Half.of(high));
    }

    public static Half2 of(Half low, Half high) {
        return new Half2(low.bits() & 0xffff | high.bits() << 16);
    }

    public Half low() {
        return new Half((short) bits);
    }

    public Half high() {
        return new Half((short) (bits >>> 16));
    }

    public Half2 add(Half2 other) {
        return new Half2(add(bits, other.bits));
    }

    public Half2 subtract(Half2 other) {
        return new Half2(subtract(bits, other.bits));
    }

    /** Both with the other sign. */
    public Half2 negate() {
        return new Half2(bits ^ 0x8000_8000);
    }

    /** Both without their signs. */
    public Half2 abs() {
        return new Half2(bits & 0x7fff_7fff);
    }

    public Half2 multiply(Half2 other) {
        return new Half2(multiply(bits, other.bits));
    }

    /** {@code this * factor + summand}, rounded once. */
    public Half2 fma(Half2 factor, Half2 summand) {
        return new Half2(fma(bits, factor.bits, summand.bits));
    }

    /** The number if one is NaN. */
    public Half2 min(Half2 other) {
        return new Half2(min(bits, other.bits));
    }

    /** The number if one is NaN. */
    public Half2 max(Half2 other) {
        return new Half2(max(bits, other.bits));
    }

    @InlinePtx(value = "add.rn.f16x2 $0, $1, $2;", effects = false)
    private static int add(int a, int b) {
        return map(a, b, b, (x, y, z) -> x + y);
    }

    @InlinePtx(value = "sub.rn.f16x2 $0, $1, $2;", effects = false)
    private static int subtract(int a, int b) {
        return map(a, b, b, (x, y, z) -> x - y);
    }

    @InlinePtx(value = "mul.rn.f16x2 $0, $1, $2;", effects = false)
    private static int multiply(int a, int b) {
        return map(a, b, b, (x, y, z) -> x * y);
    }

    @InlinePtx(value = "fma.rn.f16x2 $0, $1, $2, $3;", effects = false)
    private static int fma(int a, int b, int c) {
        return map(a, b, c, Half2::exactFma);
    }

    @InlinePtx(value = "min.f16x2 $0, $1, $2;", effects = false)
    private static int min(int a, int b) {
        return map(a, b, b, (x, y, z) -> Double.isNaN(x) ? y : Double.isNaN(y) ? x : Math.min(x, y));
    }

    @InlinePtx(value = "max.f16x2 $0, $1, $2;", effects = false)
    private static int max(int a, int b) {
        return map(a, b, b, (x, y, z) -> Double.isNaN(x) ? y : Double.isNaN(y) ? x : Math.max(x, y));
    }

    private interface Operation {
        double apply(double a, double b, double c);
    }

    /**
     * Sums and products of small floats in double, and the sum of an {@code exactFma}, lose nothing that rounding once
     * more would need.
     */
    private static int map(int a, int b, int c, Operation operation) {
        int low = element((short) a, (short) b, (short) c, operation);
        int high = element((short) (a >>> 16), (short) (b >>> 16), (short) (c >>> 16), operation);
        return low & 0xffff | high << 16;
    }

    private static int element(short a, short b, short c, Operation operation) {
        return PackedFloats.toHalf(
                operation.apply(SmallFloat.halfToFloat(a), SmallFloat.halfToFloat(b), SmallFloat.halfToFloat(c)));
    }

    private static double exactFma(double a, double b, double c) {
        return PackedFloats.sum(a * b, c);
    }
}
