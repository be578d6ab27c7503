// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Float4;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Unroll;

/**
 * Kernels of one thread that do everything that the language has; they run as Java and as programs, with the same
 * result.
 */
final class JavaKernels {
    static final int[] TABLE = {3, 1, 4, 1, 5, 9, 2, 6};
    static final byte[] BYTES = {-1, 2, -3};
    static final char[] CHARS = {'a', '\uffff'};
    static final int COMPUTED = Integer.parseInt("12");
    static final Pair ORIGIN = new Pair(7, 2.5f);

    private JavaKernels() {}

    enum Color {
        RED(1.5f, 10),
        GREEN(2.5f, 20),
        BLUE(-3.5f, 30);

        final float weight;
        final int number;

        Color(float weight, int number) {
            this.weight = weight;
            this.number = number;
        }

        boolean isWarm() {
            return this == RED;
        }
    }

    interface Step {
        int of(int x);

        default int twice(int x) {
            return of(of(x));
        }
    }

    /** Constants with methods and fields of their own, and one without. */
    enum Op implements Step {
        PLUS(1) {
            @Override
            public int of(int x) {
                return x + amount;
            }

            @Override
            double scale(long by, double d) {
                return d / by;
            }
        },
        MINUS(2) {
            private final int more = Integer.parseInt("5");

            @Override
            public int of(int x) {
                return minus(x) - more;
            }

            private int minus(int x) {
                return x - amount;
            }
        },
        TIMES(3),
        AGAIN(4) {
            @Override
            public int of(int x) {
                return super.of(x) + super.of(1);
            }
        };

        final int amount;

        Op(int amount) {
            this.amount = amount;
        }

        @Override
        public int of(int x) {
            return x * amount;
        }

        double scale(long by, double d) {
            return by * d + amount;
        }

        final int both(int x) {
            return of(x) ^ of(x + 1);
        }
    }

    record Pair(int a, float b) {
        Pair plus(Pair other) {
            return new Pair(a + other.a, b + other.b);
        }

        static Pair of(int a) {
            return new Pair(a, a * 0.5f);
        }
    }

    record Small(boolean flag, byte b, short s, char c, long l, double d) {}

    record Nested(Pair left, Pair right, Color color) {
        Nested(Pair both) {
            this(both, both, Color.GREEN);
        }
    }

    record Range(int low, int high) {
        Range {
            if (low > high) {
                int swap = low;
                low = high;
                high = swap;
            }
        }

        int length() {
            return high - low;
        }
    }

    interface Combine<T> {
        T combine(T left, T right);
    }

    @Kernel
    static void arithmetic(I32Ptr out, I64Ptr wide, int a, int b, long c, long d) {
        int i = 0;
        out.set(i++, a + b);
        out.set(i++, a - b);
        out.set(i++, a * b);
        out.set(i++, b == 0 ? 0 : a / b);
        out.set(i++, b == 0 ? 0 : a % b);
        out.set(i++, a << b);
        out.set(i++, a >> b);
        out.set(i++, a >>> b);
        out.set(i++, a & b);
        out.set(i++, a | b);
        out.set(i++, a ^ b);
        out.set(i++, ~a);
        out.set(i++, -a);
        out.set(i++, (byte) a);
        out.set(i++, (short) a);
        out.set(i++, (char) a);
        out.set(i++, (int) c);
        out.set(i++, c < d ? 1 : c > d ? 2 : 3);
        out.set(i++, Long.compare(c, d));
        int j = 0;
        wide.set(j++, c + d);
        wide.set(j++, c - d);
        wide.set(j++, c * d);
        wide.set(j++, d == 0 ? 0 : c / d);
        wide.set(j++, d == 0 ? 0 : c % d);
        wide.set(j++, c << a);
        wide.set(j++, c >> a);
        wide.set(j++, c >>> a);
        wide.set(j++, c & d | a);
        wide.set(j++, a);
        wide.set(j++, (long) a * b);
    }

    @Kernel
    static void floating(F32Ptr out, F64Ptr wide, I32Ptr bits, float a, float b, double c, double d) {
        int i = 0;
        out.set(i++, a + b);
        out.set(i++, a - b);
        out.set(i++, a * b);
        out.set(i++, a / b);
        out.set(i++, a % b);
        out.set(i++, -a);
        out.set(i++, (float) c);
        out.set(i++, Math.max(a, b));
        out.set(i++, Math.min(a, b));
        out.set(i++, Math.abs(a));
        out.set(i++, (float) Math.sqrt(a));
        int j = 0;
        wide.set(j++, c + d);
        wide.set(j++, c / d);
        wide.set(j++, a);
        wide.set(j++, Math.max(c, d));
        wide.set(j++, Math.min(c, d));
        wide.set(j++, Math.floor(c));
        wide.set(j++, Math.copySign(c, d));
        int k = 0;
        bits.set(k++, (int) a);
        bits.set(k++, (int) c);
        bits.set(k++, a < b ? 1 : 0);
        bits.set(k++, a <= b ? 1 : 0);
        bits.set(k++, a > b ? 1 : 0);
        bits.set(k++, a >= b ? 1 : 0);
        bits.set(k++, a == b ? 1 : 0);
        bits.set(k++, a != b ? 1 : 0);
        bits.set(k++, !(c < d) ? 1 : 0);
        bits.set(k++, !(c >= d) ? 1 : 0);
        bits.set(k++, Float.floatToRawIntBits(a));
        bits.set(k++, Float.isNaN(a) || a > 1 && b > 1 ? 4 : 5);
        bits.set(k++, Float.compare(a, b));
        bits.set(k++, Math.round(a));
        bits.set(k++, (byte) a);
        bits.set(k++, Float.floatToIntBits(b));
    }

    @Kernel
    static void jdk(I32Ptr out, I64Ptr wide, int a, int b, long c) {
        int i = 0;
        out.set(i++, Math.floorMod(a, b));
        out.set(i++, Math.floorDiv(a, b));
        out.set(i++, Math.abs(a));
        out.set(i++, Math.max(a, b));
        out.set(i++, Math.min(a, b));
        out.set(i++, Integer.bitCount(a));
        out.set(i++, Integer.numberOfLeadingZeros(a));
        out.set(i++, Integer.numberOfTrailingZeros(a));
        out.set(i++, Integer.rotateLeft(a, b));
        out.set(i++, Integer.compareUnsigned(a, b));
        out.set(i++, Integer.divideUnsigned(a, b));
        out.set(i++, Integer.remainderUnsigned(a, b));
        out.set(i++, Integer.highestOneBit(a));
        out.set(i++, Integer.signum(a));
        out.set(i++, Long.bitCount(c));
        out.set(i++, Long.numberOfLeadingZeros(c));
        out.set(i++, Long.numberOfTrailingZeros(c));
        out.set(i++, Math.clamp(c, a < b ? a : b, a < b ? b : a));
        wide.set(0, Integer.toUnsignedLong(a));
        wide.set(1, Long.divideUnsigned(c, b));
        wide.set(2, Long.remainderUnsigned(c, b));
        wide.set(3, Long.rotateRight(c, a));
        wide.set(4, Math.floorMod(c, (long) b));
        wide.set(5, Math.multiplyFull(a, b));
    }

    @Kernel
    static void flow(I32Ptr out, int n, boolean flag, byte tiny, short little, char letter) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i == 3) {
                continue;
            }
            if (i == 11) {
                break;
            }
            for (int j = i; j > 0; j--) {
                sum += i * j;
            }
        }
        out.set(0, sum);
        int steps = 0;
        int x = n;
        while (x != 1 && steps < 100) {
            x = (x & 1) == 0 ? x / 2 : 3 * x + 1;
            steps++;
        }
        out.set(1, steps);
        do {
            steps -= 7;
        } while (steps > 0);
        out.set(2, steps);
        out.set(3, (flag ? 1 : 2) + (n > 5 || flag && n < 3 ? 10 : 20));
        boolean both = flag ^ n > 4;
        out.set(4, both ? 1 : 0);
        out.set(5, tiny);
        out.set(6, little);
        out.set(7, letter);
        outer:
        for (int i = 0; ; i++) {
            for (int j = 0; j < 5; j++) {
                if (i * j > n) {
                    out.set(8, i * 100 + j);
                    break outer;
                }
            }
            if (i > 50) {
                out.set(8, -1);
                break;
            }
        }
        int u = 0;
        for (int i = 0; i < 8; i++) {
            Unroll.times(4);
            u = u * 3 + i;
        }
        out.set(9, u);
        out.set(10, n > 2 ? n > 4 ? n > 6 ? 1 : 2 : 3 : 4);
        out.set(11, max3(n, little, tiny));
    }

    private static int max3(int a, int b, int c) {
        if (a > b) {
            return a > c ? a : c;
        }
        return b > c ? b : c;
    }

    @SuppressWarnings("fallthrough") // which is to be compiled
    @Kernel
    static void switches(I32Ptr out, int n, Color color) {
        switch (n) {
            case 0:
                out.set(0, 10);
                break;
            case 1:
                out.set(0, 11);
            // fall through
            case 2:
                out.set(1, 12);
                break;
            case 1000:
                out.set(0, 13);
                break;
            default:
                out.set(0, 14);
        }
        out.set(
                2,
                switch (n) {
                    case 0, 2, 4 -> 1;
                    case 1, 3 -> {
                        int t = n * 7;
                        yield t + 1;
                    }
                    default -> -5;
                });
        out.set(
                3,
                switch (color) {
                    case RED -> 100;
                    case GREEN -> 200;
                    case BLUE -> 300;
                });
        switch (color) {
            case BLUE -> out.set(4, 1);
            default -> out.set(4, 2);
        }
        out.set(5, color == Color.GREEN ? 1 : 0);
        out.set(6, color.ordinal());
        out.set(7, color.number);
        out.set(8, (int) (color.weight * 10));
        out.set(9, color.isWarm() ? 1 : 0);
        Other other = n > 1 ? Other.UP : Other.DOWN;
        out.set(
                10,
                switch (other) {
                    case UP -> 1;
                    case DOWN -> 2;
                    case ASIDE -> 3;
                });
        out.set(11, color.compareTo(Color.GREEN));
        out.set(12, Color.BLUE.number);
    }

    @Kernel
    static void records(I32Ptr out, F32Ptr real, int n, Pair given, Nested nested) {
        Pair p = new Pair(n, n * 2f);
        Pair q = Pair.of(n).plus(p).plus(given);
        out.set(0, q.a());
        real.set(0, q.b());
        Range r = new Range(n, 3);
        out.set(1, r.length());
        out.set(2, r.low());
        Small small = new Small(n > 2, (byte) n, (short) (n * 1000), (char) (n * 70000), n * 10000000000L, n / 3.0);
        out.set(3, small.flag() ? 1 : 0);
        out.set(4, small.b());
        out.set(5, small.s());
        out.set(6, small.c());
        out.set(7, (int) (small.l() >> 7));
        real.set(1, (float) small.d());
        Nested made = new Nested(n > 3 ? p : q);
        out.set(8, made.left().a() + made.color().ordinal());
        out.set(9, nested.right().a() * 10 + nested.color().ordinal());
        real.set(2, nested.left().b());
        Pair best = p;
        for (int i = 0; i < 4; i++) {
            Pair next = new Pair(TABLE[i], i);
            if (next.a() > best.a()) {
                best = next;
            }
        }
        out.set(10, best.a());
        out.set(11, ORIGIN.a());
        real.set(3, ORIGIN.b());
        Pair[] all = new Pair[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Pair(i * n, i);
        }
        out.set(12, all[0].a() + all[1].a() + all[2].a());
        Pair chosen = fold(p, q, (l, t) -> l.a() < t.a() ? t : l);
        out.set(13, chosen.a());
    }

    private static <T> T fold(T left, T right, Combine<T> with) {
        return with.combine(left, right);
    }

    @Kernel
    static void arrays(I32Ptr out, int n) {
        int[] local = new int[8];
        for (int i = 0; i < local.length; i++) {
            local[i] = i * n;
        }
        local[3] += 5;
        local[2]++;
        out.set(0, sum(local));
        byte[] bytes = new byte[4];
        bytes[1] = (byte) (n * 77);
        out.set(1, bytes[1] + bytes[0]);
        boolean[] flags = new boolean[3];
        flags[2] = n > 1;
        out.set(2, flags[2] ? 1 : flags[0] ? 2 : 3);
        char[] chars = new char[2];
        chars[0] = (char) (n * 12345);
        out.set(3, chars[0]);
        long[] longs = {1, 2, n};
        out.set(4, (int) (longs[0] + longs[1] + longs[2]));
        out.set(5, TABLE[n & 7] + TABLE.length);
        out.set(6, BYTES[n % 3]);
        out.set(7, CHARS[n & 1]);
        double[] big = new double[100];
        big[n] = 2.5;
        double total = 0;
        for (double d : big) {
            total += d;
        }
        out.set(8, (int) (total * 2));
        int[] which = n > 2 ? local : TABLE;
        out.set(9, which[1]);
        out.set(10, COMPUTED);
    }

    private static int sum(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    @Kernel
    static void lambdas(I32Ptr out, F64Ptr wide, int n) {
        int factor = n + 1;
        IntUnaryOperator scale = x -> x * factor;
        IntUnaryOperator twice = scale.andThen(x -> x + 3);
        out.set(0, apply(scale, n));
        out.set(1, apply(twice, n));
        out.set(2, apply(x -> x - 1, n));
        out.set(3, apply(JavaKernels::triple, n));
        out.set(4, reduce(TABLE, Math::max));
        out.set(5, reduce(TABLE, (a, b) -> a + b));
        out.set(6, count(TABLE, x -> x > n));
        DoubleBinaryOperator power = (a, b) -> a * b + n;
        wide.set(0, power.applyAsDouble(1.5, 2));
        out.set(7, apply(adder(n), 5));
        IntBinaryOperator nested = (a, b) -> apply(x -> x * a, b);
        out.set(8, nested.applyAsInt(3, n));
        Pair pair = new Pair(n, 1);
        IntUnaryOperator bound = x -> x + pair.a();
        out.set(9, bound.applyAsInt(1));
        IntPredicate odd = x -> (x & 1) == 1;
        out.set(10, odd.negate().test(n) ? 1 : 2);
    }

    private static IntUnaryOperator adder(int n) {
        return x -> x + n;
    }

    private static int apply(IntUnaryOperator f, int x) {
        return f.applyAsInt(x);
    }

    private static int triple(int x) {
        return 3 * x;
    }

    private static int reduce(int[] numbers, IntBinaryOperator f) {
        int result = numbers[0];
        for (int i = 1; i < numbers.length; i++) {
            result = f.applyAsInt(result, numbers[i]);
        }
        return result;
    }

    private static int count(int[] numbers, IntPredicate test) {
        int count = 0;
        for (int number : numbers) {
            if (test.test(number)) {
                count++;
            }
        }
        return count;
    }

    @Kernel
    static void pointers(I32Ptr out, F32Ptr x, I8Ptr bytes, I16Ptr shorts, I64Ptr longs, int n) {
        F32Ptr second = x.plus(4);
        Float4 four = x.get4(0);
        second.set4(0, new Float4(four.w(), four.z(), four.y(), four.x() * n));
        out.set(0, (int) second.get(3));
        bytes.set(1, (byte) 200);
        out.set(1, bytes.get(1));
        shorts.set(2, (short) 40000);
        out.set(2, shorts.get(2));
        longs.set(0, 1L << 40);
        out.set(3, (int) (longs.get(0) >> 38));
        out.set(4, x.asI32().get(1));
        out.setVolatile(5, n);
        out.set(6, out.getVolatile(5) + 1);
        long i = 2;
        x.set(i, x.get(i) + 1);
    }

    private static int twice(Step step, int x) {
        return step.twice(x);
    }

    @Kernel
    static void enums(I32Ptr out, int n, Op op, @Constant Op fixed) {
        out.set(0, op.of(n));
        out.set(1, op.both(n));
        out.set(2, Op.values()[n & 3].amount);
        out.set(3, fixed.of(n));
        out.set(4, twice(op, n));
        out.set(5, twice(Op.MINUS, n));
        int sum = 0;
        for (Op each : Op.values()) {
            sum = sum * 7 + each.of(n);
        }
        out.set(6, sum);
        out.set(7, Op.values().length);
        out.set(8, (int) op.scale(n + 10L, 2.5));
        out.set(9, Op.TIMES.of(n));
    }

    @Kernel
    static void constants(I32Ptr out, @Constant int size, int n, @Constant Color color) {
        int[] local = new int[size * 2];
        local[size] = n;
        if (color == Color.RED) {
            out.set(0, local[size] + 1000);
        } else {
            out.set(0, local[size] + 2000);
        }
        out.set(1, local.length);
        out.set(2, mirrored(size, n) - mirrored(3, n));
        out.set(3, new Scaled(n).by(size, 0.5, true) + new Scaled(n).by(2, 0.25, false));
        // What a lambda captures of constants of enums is known in it.
        Step step = x -> picked(color, x) + size;
        out.set(4, step.twice(n));
        Step other = x -> picked(Color.RED, x);
        out.set(5, twice(other, n));
    }

    private static int picked(@Constant Color color, int x) {
        return color == Color.RED ? 3 * x : x - 4;
    }

    /** A method for each size. */
    private static int mirrored(@Constant int size, int n) {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            Unroll.all();
            values[i] = n * i;
        }
        int result = 0;
        for (int i = 0; i < size; i++) {
            Unroll.all();
            result = result * 10 + values[size - 1 - i];
        }
        return result;
    }

    record Scaled(int n) {
        int by(@Constant int size, @Constant double factor, @Constant boolean up) {
            double[] parts = new double[size];
            parts[size - 1] = n * factor;
            return (int) (up ? parts[size - 1] + size : parts[size - 1] - size);
        }
    }
}
