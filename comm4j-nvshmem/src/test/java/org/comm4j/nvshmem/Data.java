// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/** Random data that all PEs can compute of each other, and what operations make of it, in plain sequential Java. */
final class Data {
    private static @Nullable Long seed;

    private Data() {}

    /**
     * The same on all PEs; collective when it is first asked for. The environment's {@code COMM4J_TEST_SEED} repeats a
     * run.
     */
    static long seed() {
        Long known = seed;
        if (known == null) {
            String given = System.getenv("COMM4J_TEST_SEED");
            long own = given == null ? System.nanoTime() : Long.parseLong(given);
            List<byte[]> all = Pes.world()
                    .exchange(
                            "seed", ByteBuffer.allocate(Long.BYTES).putLong(own).array());
            known = ByteBuffer.wrap(all.getFirst()).getLong();
            System.out.println("COMM4J_TEST_SEED=" + known);
            seed = known;
        }
        return known;
    }

    /** Random bytes as elements, of a PE at a time of its test. */
    static HostArray bits(DataType type, long count, int pe, int time) {
        HostArray data = HostArray.allocate(type, count);
        byte[] bytes = new byte[Math.toIntExact(data.byteSize())];
        new Random(seed() + 31L * pe + 1009L * time).nextBytes(bytes);
        data.segment().copyFrom(MemorySegment.ofArray(bytes));
        return data;
    }

    /** Whole numbers that are so small that no order of operations rounds or overflows; bits for bitwise operations. */
    static HostArray numbers(DataType type, long count, ReduceOp op, int pe, int time) {
        if (op == ReduceOp.BAND || op == ReduceOp.BOR || op == ReduceOp.BXOR) {
            return bits(type, count, pe, time);
        }
        Random random = new Random(seed() + 37L * pe + 1013L * time);
        HostArray data = HostArray.allocate(type, count);
        int bound = op == ReduceOp.PROD ? 2 : 5;
        for (long i = 0; i < count; i++) {
            int value = random.nextInt(bound + 1);
            int signed = random.nextBoolean() ? value : -value;
            if (type.isComplex()) {
                data.setComplex(i, signed, random.nextInt(bound + 1));
            } else if (type.isInteger()) {
                data.setLong(i, type.isUnsigned() ? value : signed);
            } else {
                data.setDouble(i, signed);
            }
        }
        return data;
    }

    /** The inputs of all members, combined element by element. */
    static HostArray reduced(ReduceOp op, List<HostArray> inputs) {
        HostArray first = inputs.getFirst();
        HostArray result = HostArray.allocate(first.type(), first.count());
        result.copyFrom(first);
        for (HostArray next : inputs.subList(1, inputs.size())) {
            for (long i = 0; i < result.count(); i++) {
                combine(op, result, next, i);
            }
        }
        return result;
    }

    private static void combine(ReduceOp op, HostArray a, HostArray b, long i) {
        if (a.type().isComplex()) {
            a.setComplex(i, a.getReal(i) + b.getReal(i), a.getImaginary(i) + b.getImaginary(i));
        } else if (a.type().isInteger()) {
            long x = a.getLong(i);
            long y = b.getLong(i);
            a.setLong(
                    i,
                    switch (op) {
                        case SUM -> x + y;
                        case PROD -> x * y;
                        case MIN -> Math.min(x, y);
                        case MAX -> Math.max(x, y);
                        case BAND -> x & y;
                        case BOR -> x | y;
                        case BXOR -> x ^ y;
                        case AVG -> throw new AssertionError(op);
                    });
        } else {
            double x = a.getDouble(i);
            double y = b.getDouble(i);
            a.setDouble(
                    i,
                    switch (op) {
                        case SUM -> x + y;
                        case PROD -> x * y;
                        case MIN -> Math.min(x, y);
                        case MAX -> Math.max(x, y);
                        default -> throw new AssertionError(op);
                    });
        }
    }

    /** Fails, and tells where, unless all bytes are the same; 0 and −0 are the same number, though. */
    static void assertSame(HostArray actual, HostArray expected, String what) {
        if (actual.type() != expected.type() || actual.count() != expected.count()) {
            fail(what + ": " + actual + " instead of " + expected);
        }
        long at = actual.segment().mismatch(expected.segment());
        if (at >= 0 && !sameNumbers(actual, expected)) {
            long i = at / actual.type().bytes();
            fail(what + ": element " + i + " of " + actual.count() + " x " + actual.type() + " is " + element(actual, i)
                    + " instead of " + element(expected, i));
        }
    }

    private static boolean sameNumbers(HostArray actual, HostArray expected) {
        if (!actual.type().isFloat()) {
            return false;
        }
        for (long i = 0; i < actual.count(); i++) {
            if (!element(actual, i).equals(element(expected, i)) && actual.getDouble(i) != expected.getDouble(i)) {
                return false;
            }
        }
        return true;
    }

    private static String element(HostArray array, long i) {
        StringBuilder text = new StringBuilder("0x");
        int bytes = array.type().bytes();
        for (int b = bytes - 1; b >= 0; b--) {
            text.append(String.format("%02x", array.segment().get(JAVA_BYTE, i * bytes + b)));
        }
        return text.toString();
    }
}
