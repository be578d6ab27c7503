// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Kernels that use of Java what has no counterpart in C. */
@SuppressWarnings("all")
final class LanguageKernels {
    record Mixed(int i, long l, float f, double d, boolean z, byte b, char c) {}

    record Outer(Mixed first, short s, Mixed second) {}

    static Mixed mixed(int n) {
        return new Mixed(n, n * 77_777_777_777L, n / 3f, n == 0 ? -0.0 : 0.0 / n, n % 2 == 0, (byte) n, (char) n);
    }

    @Kernel
    static void recordMethods(int n, I32Ptr out) {
        Mixed one = mixed(n);
        Mixed other = mixed(n + 1);
        Outer outer = new Outer(one, (short) n, other);
        Outer same = new Outer(mixed(n), (short) n, mixed(n + 1));
        out.set(0, one.hashCode());
        out.set(1, outer.hashCode());
        out.set(2, outer.equals(same) ? 1 : 0);
        out.set(3, outer.equals(new Outer(other, (short) n, one)) ? 1 : 0);
        out.set(4, one.equals(null) ? 1 : 0);
        out.set(5, one.equals(outer) ? 1 : 0);
        out.set(6, Objects.equals(one, mixed(n)) ? 1 : 0);
        out.set(7, Objects.equals(null, one) ? 1 : 0);
        out.set(8, new Mixed(0, 0, Float.NaN, -0.0, false, (byte) 0, 'x').hashCode());
        out.set(
                9,
                new Mixed(0, 0, 0f, 0.0, true, (byte) 0, 'x').equals(new Mixed(0, 0, -0f, 0.0, true, (byte) 0, 'x'))
                        ? 1
                        : 0);
    }

    record Pair(int a, double b) {}

    static int summed(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum = sum * 31 + values[i];
        }
        return sum;
    }

    @Kernel
    static void wholeArrays(int n, I32Ptr out, F64Ptr reals) {
        int[] a = new int[10];
        for (int i = 0; i < a.length; i++) {
            a[i] = n * i - 7;
        }
        int[] copy = a.clone();
        System.arraycopy(a, 0, a, 3, 6);
        out.set(0, summed(a));
        out.set(1, summed(copy));
        System.arraycopy(copy, 4, copy, 1, 5);
        out.set(2, summed(copy));
        Arrays.fill(copy, 2, 5, n);
        out.set(3, summed(copy));
        boolean[] flags = new boolean[7];
        Arrays.fill(flags, true);
        byte[] bytes = new byte[70];
        Arrays.fill(bytes, (byte) (n * 3));
        out.set(4, (flags[6] ? 1 : 0) + bytes[69]);
        Pair[] pairs = new Pair[4];
        Arrays.fill(pairs, new Pair(n, n / 2.0));
        Pair[] others = pairs.clone();
        pairs[1] = new Pair(1, 1);
        System.arraycopy(pairs, 1, others, 2, 2);
        for (int i = 0; i < 4; i++) {
            out.set(5 + i, others[i].a());
            reals.set(i, others[i].b());
        }
        Arrays.fill(a, 0);
        out.set(9, summed(a));
        out.set(10, a.length + copy.clone().length);
    }

    @Kernel
    static void withFinally(int n, I32Ptr out) {
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            try {
                if (i == n) {
                    continue;
                }
                if (i > n + 2) {
                    break;
                }
                sum += i;
            } finally {
                sum += 100;
            }
        }
        out.set(0, sum);
        out.set(1, afterwards(n));
    }

    private static int afterwards(int n) {
        int before = n;
        try {
            return before * 2;
        } finally {
            before = 7;
        }
    }

    static final IntUnaryOperator TRIPLE = x -> 3 * x;
    static final IntBinaryOperator MOST = Math::max;
    static final Weight HALF = new Half();

    interface Weight {
        double of(double x);
    }

    record Half() implements Weight {
        @Override
        public double of(double x) {
            return x / 2;
        }
    }

    record Power(int exponent) implements Weight {
        @Override
        public double of(double x) {
            double product = 1;
            for (int i = 0; i < exponent; i++) {
                product *= x;
            }
            return product;
        }
    }

    static final Power SQUARE = new Power(2);

    private static double weighed(Weight weight, double x) {
        return weight.of(x) + (weight instanceof Half ? 100 : 0);
    }

    private static int twice(IntUnaryOperator f, int x) {
        return f.applyAsInt(f.applyAsInt(x));
    }

    @Kernel
    static void strategies(int n, I32Ptr out, F64Ptr reals) {
        out.set(0, twice(TRIPLE, n));
        out.set(1, MOST.applyAsInt(n, 4));
        out.set(2, TRIPLE.andThen(x -> x + 1).applyAsInt(n));
        reals.set(0, weighed(HALF, n));
        reals.set(1, weighed(new Half(), n));
        reals.set(2, weighed(SQUARE, n));
        reals.set(3, weighed(new Power(3), n));
        out.set(3, new Half().equals(new Half()) ? 1 : 0);
        out.set(4, new Half().hashCode());
    }

    @Kernel
    static void constantStrategy(@Constant Half weight, int n, F64Ptr reals) {
        reals.set(0, weight.of(n));
    }

    @Kernel
    static void letters(int n, I32Ptr out) {
        char c = (char) (n & 0xff);
        int bits = 0;
        bits |= Character.isDigit(c) ? 1 : 0;
        bits |= Character.isLetter(c) ? 2 : 0;
        bits |= Character.isUpperCase(c) ? 4 : 0;
        bits |= Character.isLowerCase(c) ? 8 : 0;
        bits |= Character.isWhitespace(c) ? 16 : 0;
        bits |= Character.isLetterOrDigit(c) ? 32 : 0;
        bits |= Character.isSpaceChar((int) c) ? 64 : 0;
        bits |= Character.isISOControl(c) ? 128 : 0;
        out.set(0, bits);
        out.set(1, Character.toUpperCase(c));
        out.set(2, Character.toLowerCase(c));
        out.set(3, Character.digit(c, 10) * 1000 + Character.digit(c, 16));
        out.set(4, Character.digit(c, n) + Character.getNumericValue(c));
    }

    private static int scaled(int x, @Constant int by, int y) {
        int[] table = new int[by];
        table[by - 1] = x;
        return table[by - 1] * by + y;
    }

    /** A conditional among the arguments leaves the constants beside it constants. */
    @Kernel
    static void constantsBesideConditionals(int n, @Constant boolean flag, I32Ptr out) {
        out.set(0, scaled(n > 2 ? 1 : n, 3, n < 0 ? 5 : 6));
        out.set(1, scaled(n, flag ? 4 : 2, n == 1 ? scaled(2, 2, 2) : 9));
    }

    sealed interface Shape permits Circle, Rectangle, Solid, Nothing {
        double area();

        default int corners() {
            return 0;
        }
    }

    record Circle(float radius) implements Shape {
        @Override
        public double area() {
            return 3 * radius * radius;
        }
    }

    record Rectangle(double width, double height, int color) implements Shape {
        @Override
        public double area() {
            return width * height;
        }

        @Override
        public int corners() {
            return 4;
        }
    }

    sealed interface Solid extends Shape {}

    record Cube(byte side) implements Solid {
        @Override
        public double area() {
            return 6 * side * side;
        }

        @Override
        public int corners() {
            return 8;
        }
    }

    record Ball(Circle circle, boolean full) implements Solid {
        @Override
        public double area() {
            return 4 * circle.area();
        }
    }

    record Nothing() implements Shape {
        @Override
        public double area() {
            return -1;
        }
    }

    private static Shape shape(int n) {
        switch (n & 7) {
            case 0:
                return new Circle(n);
            case 1:
                return new Rectangle(n, 2, 77);
            case 2:
                return new Nothing();
            default:
                return solid(n);
        }
    }

    private static Solid solid(int n) {
        return n % 2 == 0 ? new Cube((byte) n) : new Ball(new Circle(n), n > 4);
    }

    private static double matched(Shape shape) {
        return switch (shape) {
            case Circle(float radius) when radius > 8 -> 1000 + radius;
            case Circle circle -> circle.radius();
            case Rectangle(double width, var height, int color) -> width + 10 * height + 100 * color;
            case Cube(byte side) -> side;
            case Ball(Circle(var radius), boolean full) -> full ? radius : -radius;
            case Nothing nothing -> -7;
        };
    }

    @Kernel
    static void unions(int n, I32Ptr out, F64Ptr reals) {
        Shape shape = shape(n);
        reals.set(0, shape.area());
        out.set(0, shape.corners());
        reals.set(1, matched(shape));
        out.set(1, shape instanceof Solid ? 1 : 0);
        out.set(2, shape instanceof Ball ball && ball.full() ? 1 : 0);
        Shape either = n > 3 ? new Circle(2) : new Rectangle(1, 2, 3);
        for (int i = 0; i < 3; i++) {
            if (either instanceof Rectangle(double width, double height, int color)) {
                either = width > 2 ? new Nothing() : new Rectangle(width * 2, height, color + 1);
            }
        }
        reals.set(2, matched(either));
        out.set(3, either.equals(new Circle(2)) ? 1 : 0);
        out.set(4, new Circle(2).equals(either) ? 1 : 0);
        Shape last = n == 1 ? solid(n) : either;
        out.set(5, last.hashCode());
        if (last instanceof Solid solid) {
            reals.set(3, solid.area());
        }
    }

    static final int[][][] CUBE = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};
    static final Pair[][] TABLE = {{new Pair(1, 0.5), new Pair(2, 0.25)}};

    private static int trace(int[][] m) {
        int sum = 0;
        for (int i = 0; i < m.length; i++) {
            sum += m[i][i] * m[i].length;
        }
        return sum;
    }

    @Kernel
    static void matrices(int n, I32Ptr out, F64Ptr reals) {
        int[][] a = new int[3][4];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 4; j++) {
                a[i][j] = n + i * 10 + j;
            }
        }
        int[] row = a[1];
        row[1]++;
        a[2][2] += row[1];
        System.arraycopy(a[2], 1, a[0], 0, 3);
        out.set(0, trace(a));
        out.set(1, summed(a[0]));
        double[][][] cube = new double[2][3][5];
        cube[n & 1][2][4] = n;
        reals.set(0, cube[1][2][4] + cube[0][0][0]);
        out.set(2, CUBE[n & 1][(n & 3) % 3][1] + CUBE.length + CUBE[0].length + CUBE[1][2].length);
        out.set(3, summed(CUBE[1][1]));
        reals.set(1, TABLE[0][n & 1].b());
        Pair[][] pairs = new Pair[2][2];
        for (Pair[] each : pairs) {
            Arrays.fill(each, new Pair(n, 1));
        }
        out.set(4, pairs[1][0].a());
    }

    @Kernel
    static void longs(int n, I64Ptr out) {
        long[] values = {n, 2L * n, 3};
        long[] copy = values.clone();
        Arrays.fill(values, -1L);
        System.arraycopy(copy, 0, values, 1, 2);
        out.set(0, values[0] + values[1] * 3 + values[2] * 7);
    }
}
