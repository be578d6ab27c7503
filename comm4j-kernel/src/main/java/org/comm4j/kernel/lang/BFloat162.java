// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * Two of {@link BFloat16} in 32 bits ({@code __nv_bfloat162}); all arithmetic is on both at once, rounded to nearest.
 */
public record BFloat162(int bits) {
    public static BFloat162 of(float low, float high) {
        return of(BFloat16.of(low), BFloat16.of(high));
    }

    public static BFloat162 of(BFloat16 low, BFloat16 high) {
        return new BFloat162(low.bits() & 0xffff | high.bits() << 16);
    }

    public BFloat16 low() {
        return new BFloat16((short) bits);
    }

    public BFloat16 high() {
        return new BFloat16((short) (bits >>> 16));
    }

    public BFloat162 add(BFloat162 other) {
        return new BFloat162(add(bits, other.bits));
    }

    public BFloat162 subtract(BFloat162 other) {
        return new BFloat162(subtract(bits, other.bits));
    }

    /** Both with the other sign. */
    public BFloat162 negate() {
        return new BFloat162(bits ^ 0x8000_8000);
    }

    /** Both without their signs. */
    public BFloat162 abs() {
        return new BFloat162(bits & 0x7fff_7fff);
    }

    public BFloat162 multiply(BFloat162 other) {
        return new BFloat162(multiply(bits, other.bits));
    }

    /** {@code this * factor + summand}, rounded once. */
    public BFloat162 fma(BFloat162 factor, BFloat162 summand) {
        return new BFloat162(fma(bits, factor.bits, summand.bits));
    }

    /** The number if one is NaN. */
    public BFloat162 min(BFloat162 other) {
        return new BFloat162(min(bits, other.bits));
    }

    /** The number if one is NaN. */
    public BFloat162 max(BFloat162 other) {
        return new BFloat162(max(bits, other.bits));
    }

    // Sums and products have instructions from sm_90 on, a fused one is everywhere and gives the same.

    private static int add(int a, int b) {
        return fma(a, 0x3f80_3f80, b);
    }

    private static int subtract(int a, int b) {
        return fma(b, 0xbf80_bf80, a);
    }

    private static int multiply(int a, int b) {
        return fma(a, b, 0x8000_8000);
    }

    @InlinePtx(value = "fma.rn.bf16x2 $0, $1, $2, $3;", effects = false)
    private static int fma(int a, int b, int c) {
        return map(a, b, c, BFloat162::exactFma);
    }

    @InlinePtx(value = "min.bf16x2 $0, $1, $2;", effects = false)
    private static int min(int a, int b) {
        return map(a, b, b, (x, y, z) -> Double.isNaN(x) ? y : Double.isNaN(y) ? x : Math.min(x, y));
    }

    @InlinePtx(value = "max.bf16x2 $0, $1, $2;", effects = false)
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
        return PackedFloats.toBfloat16(operation.apply(
                SmallFloat.bfloat16ToFloat(a), SmallFloat.bfloat16ToFloat(b), SmallFloat.bfloat16ToFloat(c)));
    }

    private static double exactFma(double a, double b, double c) {
        return PackedFloats.sum(a * b, c);
    }
}
