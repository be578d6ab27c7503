// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that was drawn, compiled by javac.
 *
 * @param id in the names of its class and methods
 * @param body what an element does, without thread indices
 * @param kernel the same for the thread of an element
 */
record Case(int id, String source, Method body, Method kernel) {
    /** Elements that are computed; the last block of the launch is not full. */
    static final int ELEMENTS = 44;

    static final int BLOCK = 16;
    static final int GRID = (ELEMENTS + BLOCK - 1) / BLOCK;

    /** Numbers of each type that an element can leave. */
    static final int SLOTS = 16;

    /** What the body has before its outputs. */
    static final int INPUTS = 6;

    static final int RESULTS = ELEMENTS * SLOTS;

    /** The scalars: byte, boolean, short, char, float, double, long. */
    static final List<Object> SCALARS =
            List.of((byte) -77, true, (short) 31234, (char) 54321, -1.75f, 1e-3, -0x123456789abcdefL);

    private static final int NUMBERS = ELEMENTS * 4;

    /** Null if the JVM refuses the class: javac forgets what is on the stack around some switch expressions. */
    static @Nullable Case load(ClassLoader loader, int id, String source) {
        try {
            Method[] methods = loader.loadClass("generated.Case" + id).getDeclaredMethods();
            return new Case(id, source, find(methods, "body" + id), find(methods, "kernel" + id));
        } catch (VerifyError ofJavac) {
            return null;
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Method find(Method[] methods, String name) {
        Method method = Arrays.stream(methods)
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        method.setAccessible(true);
        return method;
    }

    /** Bytes, shorts, ints, longs, floats, doubles: what is special, and anything. */
    static List<HostArray> inputs() {
        SplittableRandom random = new SplittableRandom(4);
        byte[] bytes = new byte[NUMBERS];
        short[] shorts = new short[NUMBERS];
        int[] ints = new int[NUMBERS];
        long[] longs = new long[NUMBERS];
        float[] floats = new float[NUMBERS];
        double[] doubles = new double[NUMBERS];
        int[] specialInts = {
            0, 1, -1, 2, 31, 32, 33, 64, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x8000, 0xffff, -128, 255
        };
        long[] specialLongs = {
            0, 1, -1, 63, 64, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 32, -(1L << 31) - 1, 1L << 53 | 1
        };
        double[] specialDoubles = {
            0.0,
            -0.0,
            1,
            -1,
            0.5,
            -2.5,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.MIN_NORMAL,
            Float.MIN_VALUE,
            Float.MAX_VALUE,
            2147483647.5,
            -2147483649.0,
            0x1p63,
            -0x1p63,
            1e300,
            16777217
        };
        for (int i = 0; i < NUMBERS; i++) {
            boolean special = random.nextInt(3) > 0;
            ints[i] = special ? specialInts[random.nextInt(specialInts.length)] : random.nextInt();
            longs[i] = special ? specialLongs[random.nextInt(specialLongs.length)] : random.nextLong();
            doubles[i] = special
                    ? specialDoubles[random.nextInt(specialDoubles.length)]
                    : (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(-5, 40));
            floats[i] = (float) (special ? specialDoubles[random.nextInt(specialDoubles.length)] : doubles[i]);
            bytes[i] = (byte) random.nextInt();
            shorts[i] = (short) (special ? ints[i] : random.nextInt());
        }
        return List.of(
                copy(DataType.INT8, MemorySegment.ofArray(bytes)),
                copy(DataType.INT16, MemorySegment.ofArray(shorts)),
                HostArray.of(ints),
                HostArray.of(longs),
                HostArray.of(floats),
                HostArray.of(doubles));
    }

    private static HostArray copy(DataType type, MemorySegment from) {
        HostArray array = HostArray.allocate(type, NUMBERS);
        array.segment().copyFrom(from);
        return array;
    }

    /** What the kernel has left; NaN is one number. */
    record Results(int[] ints, long[] longs, float[] floats, double[] doubles) {
        /** The first difference, or an empty text. */
        String difference(Results other) {
            for (int i = 0; i < RESULTS; i++) {
                String at = "element " + i / SLOTS + ", result " + i % SLOTS + ": ";
                if (ints[i] != other.ints[i]) {
                    return at + "int " + ints[i] + " and " + other.ints[i];
                }
                if (longs[i] != other.longs[i]) {
                    return at + "long " + longs[i] + " and " + other.longs[i];
                }
                if (Float.floatToIntBits(floats[i]) != Float.floatToIntBits(other.floats[i])) {
                    return at + "float " + floats[i] + " and " + other.floats[i];
                }
                if (Double.doubleToLongBits(doubles[i]) != Double.doubleToLongBits(other.doubles[i])) {
                    return at + "double " + doubles[i] + " and " + other.doubles[i];
                }
            }
            return "";
        }

        @Override
        public String toString() {
            return Arrays.toString(ints) + Arrays.toString(longs) + Arrays.toString(floats) + Arrays.toString(doubles);
        }
    }
}
