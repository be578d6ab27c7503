// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reductions against a reference that works on one element at a time: integers in BigInteger, the rest by accessors.
 */
class ReductionTest {
    private static final int MOST_SOURCES = 8;
    private static final byte UNTOUCHED = (byte) 0xa5;

    private final Reduction reduction = new Reduction();

    static Stream<Arguments> pairs() {
        return Arrays.stream(DataType.values())
                .flatMap(type -> Arrays.stream(ReduceOp.values())
                        .filter(op -> op.supports(type))
                        .map(op -> Arguments.of(type, op)));
    }

    static Stream<Arguments> undefinedPairs() {
        return Arrays.stream(DataType.values())
                .flatMap(type -> Arrays.stream(ReduceOp.values())
                        .filter(op -> !op.supports(type))
                        .map(op -> Arguments.of(type, op)));
    }

    /** Element counts: none, few, and both sides of what one, two and three tiles hold. */
    private static int[] counts(DataType type) {
        int tile = Tile.BYTES / type.bytes();
        return new int[] {0, 1, 2, 3, 7, 31, 65, tile - 1, tile, tile + 1, 2 * tile + 3, 3 * tile - 1};
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyNumberOfSourcesAndEveryCount(DataType type, ReduceOp op) {
        Random random = new Random(type.ordinal() * 100 + op.ordinal());
        // Odd and even numbers are tried with every pair; all of them by night.
        for (int sourceCount = 1; sourceCount <= MOST_SOURCES; sourceCount += Nightly.times(3, 1)) {
            for (int count : counts(type)) {
                try (Arena arena = Arena.ofConfined()) {
                    // One element more at either end shows whether something is stored outside.
                    HostArray[] sources = randomArrays(arena, type, sourceCount, count + 2, random);
                    HostArray[] destinations = randomArrays(arena, type, 2, count + 3, random);
                    for (HostArray destination : destinations) {
                        destination.segment().fill(UNTOUCHED);
                    }
                    long one = type.bytes();
                    long[] sourceOffsets = new long[sourceCount];
                    Arrays.fill(sourceOffsets, one);
                    reduction.reduce(
                            type,
                            op,
                            sourceCount,
                            segments(sources),
                            sourceOffsets,
                            sourceCount,
                            segments(destinations),
                            new long[] {one, 2 * one},
                            2,
                            count);
                    HostArray expected = reference(arena, type, op, sourceCount, slices(sources, 1, count));
                    assertSame(expected, destinations[0].slice(1, count));
                    assertSame(expected, destinations[1].slice(2, count));
                    assertUntouched(destinations[0], 0, one);
                    assertUntouched(destinations[0], one * (1 + count), one * 2);
                    assertUntouched(destinations[1], 0, one * 2);
                    assertUntouched(destinations[1], one * (2 + count), one);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void inPlaceInEverySource(DataType type, ReduceOp op) {
        Random random = new Random(1);
        int count = 2 * Tile.BYTES / type.bytes() + 5;
        for (int sourceCount = 1; sourceCount <= MOST_SOURCES; sourceCount += 3) {
            try (Arena arena = Arena.ofConfined()) {
                HostArray[] arrays = randomArrays(arena, type, sourceCount, count, random);
                HostArray expected = reference(arena, type, op, sourceCount, arrays);
                MemorySegment[] segments = segments(arrays);
                long[] offsets = new long[sourceCount];
                reduction.reduce(
                        type, op, sourceCount, segments, offsets, sourceCount, segments, offsets, sourceCount, count);
                for (HostArray array : arrays) {
                    assertSame(expected, array);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void offsetsOfAnyAlignment(DataType type) {
        Random random = new Random(2);
        int count = 300;
        long bytes = HostArray.bytes(type, count);
        for (int shift = 1; shift < 64; shift += 6) {
            try (Arena arena = Arena.ofConfined()) {
                HostArray[] arrays = randomArrays(arena, type, 3, count, random);
                MemorySegment[] sources = new MemorySegment[3];
                long[] offsets = {shift, 2 * shift + 1, 0};
                for (int r = 0; r < 3; r++) {
                    sources[r] = arena.allocate(bytes + offsets[r]);
                    MemorySegment.copy(arrays[r].segment(), 0, sources[r], offsets[r], bytes);
                }
                MemorySegment destination = arena.allocate(bytes + 63);
                reduction.reduce(
                        type,
                        ReduceOp.SUM,
                        3,
                        sources,
                        offsets,
                        3,
                        new MemorySegment[] {destination},
                        new long[] {63 - shift},
                        1,
                        count);
                HostArray result = HostArray.allocate(arena, type, count);
                MemorySegment.copy(destination, 63 - shift, result.segment(), 0, bytes);
                assertSame(reference(arena, type, ReduceOp.SUM, 3, arrays), result);
            }
        }
    }

    /** Long messages are stored in another order than short ones, to places that are sources and to others. */
    @Test
    void longMessagesToSeveralPlaces() {
        int count = (3 << 20) / Float.BYTES + 5;
        try (Arena arena = Arena.ofConfined()) {
            HostArray[] sources = randomArrays(arena, DataType.FLOAT32, 3, count, new Random(3));
            HostArray expected = reference(arena, DataType.FLOAT32, ReduceOp.AVG, 3, sources);
            HostArray[] others = randomArrays(arena, DataType.FLOAT32, 3, count, new Random(4));
            long[] offsets = new long[3];
            reduction.reduce(
                    DataType.FLOAT32,
                    ReduceOp.AVG,
                    3,
                    segments(sources),
                    offsets,
                    3,
                    segments(others),
                    offsets,
                    3,
                    count);
            for (HostArray other : others) {
                assertSame(expected, other);
            }
            others[0] = sources[1];
            reduction.reduce(
                    DataType.FLOAT32,
                    ReduceOp.AVG,
                    3,
                    segments(sources),
                    offsets,
                    3,
                    segments(others),
                    offsets,
                    2,
                    count);
            assertSame(expected, sources[1]);
            assertSame(expected, others[1]);
        }
    }

    /** The same elements give the same bits wherever a message is cut. */
    @ParameterizedTest
    @MethodSource("pairs")
    void resultsDoNotDependOnTheSplit(DataType type, ReduceOp op) {
        int count = 2 * Tile.BYTES / type.bytes() + 9;
        try (Arena arena = Arena.ofConfined()) {
            HostArray[] sources = randomArrays(arena, type, 5, count, new Random(5));
            MemorySegment[] segments = segments(sources);
            HostArray whole = HostArray.allocate(arena, type, count);
            HostArray parts = HostArray.allocate(arena, type, count);
            reduction.reduce(
                    type,
                    op,
                    5,
                    segments,
                    new long[5],
                    5,
                    new MemorySegment[] {whole.segment()},
                    new long[1],
                    1,
                    count);
            int length;
            for (int from = 0; from < count; from += length) {
                length = Math.min(1 + from / 3, count - from);
                long[] offsets = new long[5];
                Arrays.fill(offsets, (long) from * type.bytes());
                reduction.reduce(
                        type, op, 5, segments, offsets, 5, new MemorySegment[] {parts.segment()}, offsets, 1, length);
            }
            assertThat(parts.segment().mismatch(whole.segment())).isEqualTo(-1);
        }
    }

    /**
     * All pairs of special values: zeros of both signs, infinities, NaN, subnormal and extreme numbers, wrap-around.
     */
    @ParameterizedTest
    @MethodSource("pairs")
    void specialValues(DataType type, ReduceOp op) {
        double[] values = type.isInteger()
                ? new double[] {}
                : new double[] {
                    0.0,
                    -0.0,
                    1,
                    -1,
                    Double.NaN,
                    Double.POSITIVE_INFINITY,
                    Double.NEGATIVE_INFINITY,
                    448,
                    57344,
                    -65504,
                    0x1p-24,
                    0x1p-16,
                    0x1p-9,
                    0x1.fffffep127,
                    -0x1p-149,
                    0x1p-133,
                    0x1p-126,
                    Double.MAX_VALUE,
                    Double.MIN_VALUE
                };
        long[] integers = {
            0, 1, -1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fff_ffffL, 0x8000_0000L, Long.MAX_VALUE, Long.MIN_VALUE, 3
        };
        int n = type.isInteger() ? integers.length : values.length;
        try (Arena arena = Arena.ofConfined()) {
            HostArray x = HostArray.allocate(arena, type, (long) n * n);
            HostArray y = HostArray.allocate(arena, type, (long) n * n);
            for (int i = 0; i < n * n; i++) {
                if (type.isInteger()) {
                    x.setLong(i, integers[i / n]);
                    y.setLong(i, integers[i % n]);
                } else if (type.isComplex()) {
                    x.setComplex(i, values[i / n], values[(i + 3) % n]);
                    y.setComplex(i, values[i % n], values[(i + 5) % n]);
                } else {
                    x.setDouble(i, values[i / n]);
                    y.setDouble(i, values[i % n]);
                }
            }
            HostArray result = HostArray.allocate(arena, type, (long) n * n);
            reduction.reduce(
                    type, op, 3, segments(x, y, x), new long[3], 3, segments(result), new long[1], 1, result.count());
            assertSame(reference(arena, type, op, 3, x, y, x), result);
            // One by one, for short messages take a way of their own.
            HostArray singles = HostArray.allocate(arena, type, (long) n * n);
            for (int i = 0; i < n * n; i++) {
                long[] at = {(long) i * type.bytes(), (long) i * type.bytes(), (long) i * type.bytes()};
                reduction.reduce(type, op, 3, segments(x, y, x), at, 3, segments(singles), at, 1, 1);
            }
            assertSame(result, singles);
        }
    }

    /** Every pair of 8-bit patterns, in every type of 8 bits and, for 16 bits, every pattern against a few others. */
    @ParameterizedTest
    @MethodSource("pairs")
    void everyBitPatternOfNarrowTypes(DataType type, ReduceOp op) {
        if (type.bytes() > 2) {
            return;
        }
        int count = 1 << 16;
        try (Arena arena = Arena.ofConfined()) {
            HostArray x = HostArray.allocate(arena, type, count);
            HostArray y = HostArray.allocate(arena, type, count);
            for (int i = 0; i < count; i++) {
                if (type.bytes() == 1) {
                    x.segment().set(JAVA_BYTE, i, (byte) (i >> 8));
                    y.segment().set(JAVA_BYTE, i, (byte) i);
                } else {
                    x.segment().set(JAVA_BYTE, 2L * i, (byte) i);
                    x.segment().set(JAVA_BYTE, 2L * i + 1, (byte) (i >> 8));
                    y.segment().set(JAVA_BYTE, 2L * i, (byte) (i * 31));
                    y.segment().set(JAVA_BYTE, 2L * i + 1, (byte) (i * 7 >> 4));
                }
            }
            HostArray result = HostArray.allocate(arena, type, count);
            reduction.reduce(type, op, 2, segments(x, y), new long[2], 2, segments(result), new long[1], 1, count);
            assertSame(reference(arena, type, op, 2, x, y), result);
        }
    }

    @Test
    void operandsAreTakenInTheOrderOfTheRanks() {
        HostArray[] sources = {HostArray.of(0x1p24f), HostArray.of(1f), HostArray.of(1f), HostArray.of(-0x1p24f)};
        HostArray result = HostArray.allocate(DataType.FLOAT32, 1);
        reduction.reduce(
                DataType.FLOAT32,
                ReduceOp.SUM,
                4,
                segments(sources),
                new long[4],
                4,
                segments(result),
                new long[1],
                1,
                1);
        assertThat(result.getFloat(0)).isZero();
    }

    @Test
    void halvesAreRoundedOnceAtTheEnd() {
        HostArray[] sources = new HostArray[4];
        float[] values = {2048, 1, 1, 1};
        for (int r = 0; r < 4; r++) {
            sources[r] = HostArray.allocate(DataType.FLOAT16, 1);
            sources[r].setFloat(0, values[r]);
        }
        HostArray result = HostArray.allocate(DataType.FLOAT16, 1);
        reduction.reduce(
                DataType.FLOAT16,
                ReduceOp.SUM,
                4,
                segments(sources),
                new long[4],
                4,
                segments(result),
                new long[1],
                1,
                1);
        // Rounding after each step would stay at 2048.
        assertThat(result.getFloat(0)).isEqualTo(2052);
    }

    @Test
    void theAverageDividesByTheNumberOfRanksNotOfSources() {
        HostArray source = HostArray.of(-7, 7);
        HostArray result = HostArray.allocate(DataType.INT32, 2);
        reduction.reduce(
                DataType.INT32, ReduceOp.AVG, 2, segments(source), new long[1], 1, segments(result), new long[1], 1, 2);
        assertThat(result.toIntArray()).containsExactly(-3, 3);
    }

    @ParameterizedTest
    @MethodSource("undefinedPairs")
    void undefinedPairsAreRefused(DataType type, ReduceOp op) {
        HostArray array = HostArray.allocate(type, 1);
        MemorySegment[] segments = segments(array);
        assertThatThrownBy(() -> reduction.reduce(type, op, 1, segments, new long[1], 1, segments, new long[1], 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(op.name())
                .hasMessageContaining(type.name());
    }

    @Test
    void elementsOutsideOfASegmentAreRefused() {
        MemorySegment[] segments = segments(HostArray.of(1f, 2f));
        assertThatThrownBy(() -> reduction.reduce(
                        DataType.FLOAT32, ReduceOp.SUM, 1, segments, new long[1], 1, segments, new long[1], 1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void numbersThatDoNotFitTheArraysAreRefused() {
        MemorySegment[] segments = {MemorySegment.ofArray(new byte[8])};
        // Ranks, sources, destinations, elements.
        for (int[] wrong : new int[][] {
            {0, 1, 1, 1}, {1, 0, 1, 1}, {1, 2, 1, 1}, {1, -1, 1, 1}, {1, 1, 0, 1}, {1, 1, 2, 1}, {1, 1, 1, -1},
        }) {
            assertThatThrownBy(() -> reduction.reduce(
                            DataType.INT32,
                            ReduceOp.AVG,
                            wrong[0],
                            segments,
                            new long[1],
                            wrong[1],
                            segments,
                            new long[1],
                            wrong[2],
                            wrong[3]))
                    .as(Arrays.toString(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sources");
        }
        assertThatThrownBy(() -> reduction.reduce(
                        DataType.INT32, ReduceOp.SUM, 1, segments, new long[0], 1, segments, new long[1], 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- the reference ----

    private static HostArray reference(Arena arena, DataType type, ReduceOp op, int ranks, HostArray... sources) {
        int count = (int) sources[0].count();
        HostArray result = HostArray.allocate(arena, type, count);
        for (int i = 0; i < count; i++) {
            if (type.isInteger()) {
                result.setLong(i, integer(type, op, ranks, sources, i));
            } else if (type == DataType.COMPLEX64) {
                complexSingle(op, ranks, sources, i, result);
            } else if (type == DataType.COMPLEX128) {
                complexDouble(op, ranks, sources, i, result);
            } else if (type == DataType.FLOAT64) {
                result.setDouble(i, real(op, ranks, sources, i));
            } else {
                result.setFloat(i, single(op, ranks, sources, i));
            }
        }
        return result;
    }

    private static long integer(DataType type, ReduceOp op, int ranks, HostArray[] sources, int i) {
        BigInteger result = value(sources[0], i);
        for (int r = 1; r < sources.length; r++) {
            BigInteger next = value(sources[r], i);
            result = switch (op) {
                case SUM, AVG -> result.add(next);
                case PROD -> result.multiply(next);
                case MIN -> result.min(next);
                case MAX -> result.max(next);
                case BAND -> result.and(next);
                case BOR -> result.or(next);
                case BXOR -> result.xor(next);
            };
        }
        if (op == ReduceOp.AVG) {
            int bits = type.bytes() * 8;
            BigInteger wrapped = result.mod(BigInteger.TWO.pow(bits));
            if (!type.isUnsigned() && wrapped.testBit(bits - 1)) {
                wrapped = wrapped.subtract(BigInteger.TWO.pow(bits));
            }
            result = wrapped.divide(BigInteger.valueOf(ranks));
        }
        return result.longValue();
    }

    private static BigInteger value(HostArray array, int i) {
        long value = array.getLong(i);
        return array.type() == DataType.UINT64
                ? new BigInteger(Long.toUnsignedString(value))
                : BigInteger.valueOf(value);
    }

    private static double real(ReduceOp op, int ranks, HostArray[] sources, int i) {
        double result = sources[0].getDouble(i);
        for (int r = 1; r < sources.length; r++) {
            double next = sources[r].getDouble(i);
            result = switch (op) {
                case SUM, AVG -> result + next;
                case PROD -> result * next;
                case MIN, MAX -> extreme(op, result, next);
                default -> throw new AssertionError(op);
            };
        }
        return op == ReduceOp.AVG ? result / ranks : result;
    }

    private static float single(ReduceOp op, int ranks, HostArray[] sources, int i) {
        float result = sources[0].getFloat(i);
        for (int r = 1; r < sources.length; r++) {
            float next = sources[r].getFloat(i);
            result = switch (op) {
                case SUM, AVG -> result + next;
                case PROD -> result * next;
                case MIN, MAX -> (float) extreme(op, result, next);
                default -> throw new AssertionError(op);
            };
        }
        return op == ReduceOp.AVG ? result / ranks : result;
    }

    /** By comparisons alone, with -0 below +0. */
    private static double extreme(ReduceOp op, double x, double y) {
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return Double.NaN;
        }
        if (x == 0 && y == 0) {
            boolean negative = op == ReduceOp.MIN ? 1 / x < 0 || 1 / y < 0 : 1 / x < 0 && 1 / y < 0;
            return negative ? -0.0 : 0.0;
        }
        return (op == ReduceOp.MIN) == (x < y) ? x : y;
    }

    private static void complexSingle(ReduceOp op, int ranks, HostArray[] sources, int i, HostArray result) {
        float real = (float) sources[0].getReal(i);
        float imaginary = (float) sources[0].getImaginary(i);
        for (int r = 1; r < sources.length; r++) {
            float c = (float) sources[r].getReal(i);
            float d = (float) sources[r].getImaginary(i);
            float oldReal = real;
            real = op == ReduceOp.PROD ? oldReal * c - imaginary * d : oldReal + c;
            imaginary = op == ReduceOp.PROD ? oldReal * d + imaginary * c : imaginary + d;
        }
        boolean average = op == ReduceOp.AVG;
        result.setComplex(i, average ? real / ranks : real, average ? imaginary / ranks : imaginary);
    }

    private static void complexDouble(ReduceOp op, int ranks, HostArray[] sources, int i, HostArray result) {
        double real = sources[0].getReal(i);
        double imaginary = sources[0].getImaginary(i);
        for (int r = 1; r < sources.length; r++) {
            double c = sources[r].getReal(i);
            double d = sources[r].getImaginary(i);
            double oldReal = real;
            real = op == ReduceOp.PROD ? oldReal * c - imaginary * d : oldReal + c;
            imaginary = op == ReduceOp.PROD ? oldReal * d + imaginary * c : imaginary + d;
        }
        boolean average = op == ReduceOp.AVG;
        result.setComplex(i, average ? real / ranks : real, average ? imaginary / ranks : imaginary);
    }

    // ---- helpers ----

    /** Random bits for integers; for the others numbers whose sums and products of eight stay finite in most types. */
    private static HostArray[] randomArrays(Arena arena, DataType type, int number, int count, Random random) {
        HostArray[] arrays = new HostArray[number];
        for (int r = 0; r < number; r++) {
            arrays[r] = HostArray.allocate(arena, type, count);
            for (int i = 0; i < count; i++) {
                if (type.isInteger()) {
                    arrays[r].setLong(i, random.nextLong());
                } else if (type.isComplex()) {
                    arrays[r].setComplex(i, random.nextGaussian(), random.nextGaussian());
                } else {
                    arrays[r].setDouble(i, 2 * random.nextGaussian());
                }
            }
        }
        return arrays;
    }

    private static MemorySegment[] segments(HostArray... arrays) {
        return Arrays.stream(arrays).map(HostArray::segment).toArray(MemorySegment[]::new);
    }

    private static HostArray[] slices(HostArray[] arrays, long offset, long count) {
        return Arrays.stream(arrays).map(array -> array.slice(offset, count)).toArray(HostArray[]::new);
    }

    /** Equal bits, except that one NaN is as good as another. */
    private static void assertSame(HostArray expected, HostArray actual) {
        long at = expected.segment().mismatch(actual.segment());
        if (at < 0) {
            return;
        }
        DataType type = expected.type();
        for (long i = at / type.bytes(); i < expected.count(); i++) {
            // Boxed, for Double.equals distinguishes the zeros and takes all NaNs as one.
            if (type.isInteger()) {
                assertThat(actual.getLong(i)).as("%s element %d", type, i).isEqualTo(expected.getLong(i));
            } else if (type.isComplex()) {
                Double real = expected.getReal(i);
                Double imaginary = expected.getImaginary(i);
                assertThat(actual.getReal(i)).as("%s real part %d", type, i).isEqualTo(real);
                assertThat(actual.getImaginary(i))
                        .as("%s imaginary part %d", type, i)
                        .isEqualTo(imaginary);
            } else {
                Double value = expected.getDouble(i);
                assertThat(actual.getDouble(i)).as("%s element %d", type, i).isEqualTo(value);
            }
        }
    }

    private static void assertUntouched(HostArray array, long from, long bytes) {
        assertThat(array.segment().asSlice(from, bytes).toArray(JAVA_BYTE)).containsOnly(UNTOUCHED);
    }
}
