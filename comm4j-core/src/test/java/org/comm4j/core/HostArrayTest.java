// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostArrayTest {
    // ---- making ----

    @ParameterizedTest
    @EnumSource(DataType.class)
    void memoryIsZeroedAlignedAndOfTheRightSize(DataType type) {
        HostArray array = HostArray.allocate(type, 100);
        assertThat(array.type()).isEqualTo(type);
        assertThat(array.count()).isEqualTo(100);
        assertThat(array.byteSize()).isEqualTo(100L * type.bytes());
        assertThat(array.address() % 64).isZero();
        assertThat(array.segment().toArray(JAVA_BYTE)).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void anEmptyArrayIsAnArray(DataType type) {
        HostArray array = HostArray.allocate(type, 0);
        assertThat(array.count()).isZero();
        assertThat(array.slice(0, 0).count()).isZero();
        array.fill(1);
        outOfBounds(() -> array.slice(0, 1));
    }

    @Test
    void arraysOfJavaValues() {
        assertThat(HostArray.of(1f, -0f, Float.NaN).toFloatArray()).containsExactly(1f, -0f, Float.NaN);
        assertThat(HostArray.of(1.5, -0.0).toDoubleArray()).containsExactly(1.5, -0.0);
        assertThat(HostArray.of(1, Integer.MIN_VALUE).toIntArray()).containsExactly(1, Integer.MIN_VALUE);
        assertThat(HostArray.of(1L, Long.MAX_VALUE).toLongArray()).containsExactly(1L, Long.MAX_VALUE);
    }

    @Test
    void aWrappedSegmentIsShared() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16, 8);
            HostArray array = HostArray.wrap(segment, DataType.INT32);
            array.setInt(3, 77);
            assertThat(array.count()).isEqualTo(4);
            assertThat(HostArray.wrap(segment, DataType.INT64).getLong(1)).isEqualTo(77L << 32);
        }
    }

    @Test
    void wrongMemoryIsRefused() {
        illegal(() -> HostArray.wrap(MemorySegment.ofArray(new float[4]), DataType.FLOAT32), "off-heap");
        MemorySegment segment = Arena.ofAuto().allocate(32, 8);
        illegal(() -> HostArray.wrap(segment.asSlice(0, 10), DataType.INT32), "10 bytes", "INT32");
        illegal(() -> HostArray.wrap(segment.asSlice(4, 16), DataType.FLOAT64), "aligned", "8 bytes");
        assertThat(HostArray.wrap(segment.asSlice(4, 16), DataType.COMPLEX64).count())
                .isEqualTo(2);
        illegal(() -> HostArray.allocate(DataType.INT8, -1), "-1");
        illegal(() -> HostArray.allocate(DataType.INT16, Long.MAX_VALUE), "" + Long.MAX_VALUE);
        assertThat(HostArray.bytes(DataType.COMPLEX128, Long.MAX_VALUE / 16)).isPositive();
        illegal(() -> HostArray.bytes(DataType.COMPLEX128, Long.MAX_VALUE / 16 + 1), "COMPLEX128");
        assertThatThrownBy(() -> HostArray.wrap(segment, null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> HostArray.wrap(null, DataType.INT8)).isInstanceOf(NullPointerException.class);
    }

    // ---- elements ----

    @Test
    void integersKeepTheirLowBits() {
        long[] values = {0, 1, -1, 127, 128, 255, 32768, 65535, 1L << 31, -1L >>> 32, Long.MIN_VALUE, Long.MAX_VALUE};
        for (DataType type : List.of(DataType.values())) {
            if (!type.isInteger()) {
                continue;
            }
            HostArray array = HostArray.allocate(type, values.length);
            int unused = 64 - 8 * type.bytes();
            for (int i = 0; i < values.length; i++) {
                array.setLong(i, values[i]);
            }
            for (int i = 0; i < values.length; i++) {
                long expected = type.isUnsigned() ? values[i] << unused >>> unused : values[i] << unused >> unused;
                assertThat(array.getLong(i)).as("%s %x", type, values[i]).isEqualTo(expected);
                if (type.bytes() <= 4) {
                    assertThat(array.getInt(i)).isEqualTo((int) expected);
                }
            }
            array.setInt(0, -2);
            assertThat(array.getLong(0)).isEqualTo(type.isUnsigned() ? -2L << unused >>> unused : -2);
        }
    }

    @Test
    void floatsAreRoundedToNearest() {
        assertThat(stored(DataType.FLOAT64, 0.1)).isEqualTo(0.1);
        assertThat(stored(DataType.FLOAT32, 0.1)).isEqualTo(0.1f);
        assertThat(stored(DataType.FLOAT16, 0.1)).isEqualTo(0x1.998p-4);
        assertThat(stored(DataType.BFLOAT16, 0.1)).isEqualTo(0x1.9ap-4);
        assertThat(stored(DataType.FLOAT8_E4M3, 0.1)).isEqualTo(0x1.ap-4);
        assertThat(stored(DataType.FLOAT8_E5M2, 0.1)).isEqualTo(0x1.8p-4);
        assertThat(stored(DataType.FLOAT8_E4M3, 1e6)).isEqualTo(448);
        assertThat(stored(DataType.FLOAT16, 1e6)).isEqualTo(Double.POSITIVE_INFINITY);
        for (DataType type : DataType.values()) {
            if (type.isFloat()) {
                assertThat(stored(type, Double.NaN)).isNaN();
                assertThat(stored(type, -0.0)).isEqualTo(Double.valueOf(-0.0));
            }
        }
    }

    private static double stored(DataType type, double value) {
        HostArray array = HostArray.allocate(type, 3);
        array.setDouble(1, value);
        assertThat(array.getDouble(0)).isZero();
        assertThat(array.getDouble(2)).isZero();
        if (type != DataType.FLOAT64) {
            assertThat((double) array.getFloat(1)).isEqualTo(Double.valueOf(array.getDouble(1)));
        }
        return array.getDouble(1);
    }

    @Test
    void complexElementsHaveTwoParts() {
        for (DataType type : List.of(DataType.COMPLEX64, DataType.COMPLEX128)) {
            HostArray array = HostArray.allocate(type, 2);
            array.setComplex(1, 0.1, -3);
            assertThat(array.getReal(1)).isEqualTo(type == DataType.COMPLEX64 ? 0.1f : 0.1);
            assertThat(array.getImaginary(1)).isEqualTo(-3);
            assertThat(array.getReal(0)).isZero();
            assertThat(array.getImaginary(0)).isZero();
        }
        HostArray parts = HostArray.allocate(DataType.COMPLEX64, 1);
        parts.setComplex(0, 5, 6);
        assertThat(HostArray.wrap(parts.segment(), DataType.FLOAT32).toFloatArray())
                .containsExactly(5, 6);
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void accessorsOfAnotherKindAreRefused(DataType type) {
        HostArray array = HostArray.allocate(type, 1);
        refusedUnless(type.isFloat() && type != DataType.FLOAT64, array, "getFloat", a -> a.getFloat(0));
        refusedUnless(type.isFloat(), array, "setFloat", a -> a.setFloat(0, 1));
        refusedUnless(type.isFloat(), array, "getDouble", a -> a.getDouble(0));
        refusedUnless(type.isFloat(), array, "setDouble", a -> a.setDouble(0, 1));
        refusedUnless(type.isInteger() && type.bytes() < 8, array, "getInt", a -> a.getInt(0));
        refusedUnless(type.isInteger(), array, "setInt", a -> a.setInt(0, 1));
        refusedUnless(type.isInteger(), array, "getLong", a -> a.getLong(0));
        refusedUnless(type.isInteger(), array, "setLong", a -> a.setLong(0, 1));
        refusedUnless(type.isComplex(), array, "getReal", a -> a.getReal(0));
        refusedUnless(type.isComplex(), array, "getImaginary", a -> a.getImaginary(0));
        refusedUnless(type.isComplex(), array, "setComplex", a -> a.setComplex(0, 1, 2));
        refusedUnless(type == DataType.FLOAT32, array, "copyFrom(float[])", a -> a.copyFrom(new float[1]));
        refusedUnless(type == DataType.FLOAT64, array, "copyFrom(double[])", a -> a.copyFrom(new double[1]));
        boolean int32 = type == DataType.INT32 || type == DataType.UINT32;
        refusedUnless(int32, array, "copyFrom(int[])", a -> a.copyFrom(new int[1]));
        refusedUnless(int32, array, "toIntArray", HostArray::toIntArray);
        boolean int64 = type == DataType.INT64 || type == DataType.UINT64;
        refusedUnless(int64, array, "copyFrom(long[])", a -> a.copyFrom(new long[1]));
        refusedUnless(int64, array, "toLongArray", HostArray::toLongArray);
        refusedUnless(type.bytes() == 2, array, "copyFrom(short[])", a -> a.copyFrom(new short[1]));
        refusedUnless(type.bytes() == 2, array, "toShortArray", HostArray::toShortArray);
        refusedUnless(type.bytes() == 1, array, "copyFrom(byte[])", a -> a.copyFrom(new byte[1]));
        refusedUnless(type.bytes() == 1, array, "toByteArray", HostArray::toByteArray);
        refusedUnless(type == DataType.FLOAT32, array, "toFloatArray", HostArray::toFloatArray);
        refusedUnless(type == DataType.FLOAT64, array, "toDoubleArray", HostArray::toDoubleArray);
    }

    private static void refusedUnless(boolean allowed, HostArray array, String method, Consumer<HostArray> access) {
        if (allowed) {
            access.accept(array);
        } else {
            illegal(
                    () -> access.accept(array),
                    method + " is not for",
                    array.type().name());
        }
    }

    @Test
    void indexesAreChecked() {
        HostArray floats = HostArray.of(1f, 2f, 3f);
        for (long i : new long[] {-1, 3, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62}) {
            outOfBounds(() -> floats.getFloat(i));
            outOfBounds(() -> floats.setFloat(i, 0));
            outOfBounds(() -> floats.getDouble(i));
            outOfBounds(() -> floats.slice(i, 1));
        }
        HostArray complex = HostArray.allocate(DataType.COMPLEX128, 3);
        for (long i : new long[] {-1, 3, 1L << 62, 1L << 63}) {
            outOfBounds(() -> complex.getReal(i));
            outOfBounds(() -> complex.setComplex(i, 0, 0));
        }
        // A slice ends where it ends, though the memory goes on.
        outOfBounds(() -> floats.slice(0, 2).getFloat(2));
    }

    // ---- slices, filling, bulk copies ----

    @Test
    void slicesShareMemory() {
        HostArray array = HostArray.of(0, 1, 2, 3, 4, 5);
        HostArray slice = array.slice(2, 3);
        assertThat(slice.toIntArray()).containsExactly(2, 3, 4);
        assertThat(slice.address()).isEqualTo(array.address() + 8);
        slice.setInt(0, 20);
        assertThat(array.getInt(2)).isEqualTo(20);
        assertThat(slice.slice(1, 2).toIntArray()).containsExactly(3, 4);
        assertThat(array.slice(6, 0).count()).isZero();
        outOfBounds(() -> array.slice(4, 3));
        outOfBounds(() -> array.slice(-1, 2));
        outOfBounds(() -> array.slice(2, -1));
        outOfBounds(() -> array.slice(1, Long.MAX_VALUE));
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void fillSetsEveryElement(DataType type) {
        for (int count : new int[] {0, 1, 2, 3, 5, 100}) {
            HostArray whole = HostArray.allocate(type, count + 2);
            whole.slice(1, count).fill(3);
            for (int i = 0; i < count + 2; i++) {
                double expected = i == 0 || i == count + 1 ? 0 : 3;
                double actual =
                        type.isComplex() ? whole.getReal(i) : type.isInteger() ? whole.getLong(i) : whole.getDouble(i);
                assertThat(actual).isEqualTo(expected);
                if (type.isComplex()) {
                    assertThat(whole.getImaginary(i)).isZero();
                }
            }
        }
    }

    @Test
    void bulkCopiesKeepBits() {
        HostArray shorts = HostArray.allocate(DataType.FLOAT16, 3);
        shorts.copyFrom(new short[] {1, -1, 0x3c00});
        assertThat(shorts.toShortArray()).containsExactly(1, -1, 0x3c00);
        assertThat(shorts.getFloat(2)).isEqualTo(1);
        HostArray bytes = HostArray.allocate(DataType.UINT8, 4);
        bytes.copyFrom(new byte[] {-1, 2});
        assertThat(bytes.toByteArray()).containsExactly(-1, 2, 0, 0);
        HostArray longs = HostArray.allocate(DataType.UINT64, 2);
        longs.copyFrom(new long[] {Long.MIN_VALUE, 5});
        assertThat(longs.toLongArray()).containsExactly(Long.MIN_VALUE, 5);
        HostArray copy = HostArray.allocate(DataType.UINT64, 2);
        copy.copyFrom(longs);
        assertThat(copy.toLongArray()).containsExactly(Long.MIN_VALUE, 5);
    }

    @Test
    void bulkCopiesThatDoNotFitAreRefused() {
        outOfBounds(() -> HostArray.of(1f).copyFrom(new float[2]));
        outOfBounds(() -> HostArray.of(1.0).copyFrom(new double[2]));
        outOfBounds(() -> HostArray.of(1).copyFrom(new int[2]));
        outOfBounds(() -> HostArray.of(1L).copyFrom(new long[2]));
        outOfBounds(() -> HostArray.allocate(DataType.INT16, 1).copyFrom(new short[2]));
        outOfBounds(() -> HostArray.allocate(DataType.INT8, 1).copyFrom(new byte[2]));
        illegal(() -> HostArray.of(1f, 2f).copyFrom(HostArray.of(1f)), "type and count");
        illegal(() -> HostArray.of(1f).copyFrom(HostArray.of(1)), "type and count");
        illegal(() -> HostArray.of(1f, 2f).copyTo(HostArray.of(1f)), "type and count");
        illegal(() -> HostArray.of(1f).copyTo(HostArray.of(1)), "type and count");
    }

    @Test
    void freedMemoryIsNotTouched() {
        HostArray array;
        try (Arena arena = Arena.ofConfined()) {
            array = HostArray.allocate(arena, DataType.FLOAT32, 4);
            assertThat(array.isAlive()).isTrue();
        }
        assertThat(array.isAlive()).isFalse();
        assertThat(array).hasToString("HostArray[4 x FLOAT32, freed]");
        assertThatThrownBy(() -> array.getFloat(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> array.setFloat(0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(array::toFloatArray).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void itsValuesAreTheFirstAndTheLastOnes() {
        assertThat(HostArray.of(1f, -0f, Float.NaN).values()).isEqualTo("[1.0, -0.0, NaN]");
        assertThat(HostArray.of(new long[11]).values()).isEqualTo("[0, 0, 0, ..., 0, 0, 0]");
        assertThat(HostArray.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).values()).isEqualTo("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]");
        assertThat(HostArray.allocate(DataType.FLOAT64, 0).values()).isEqualTo("[]");
        HostArray complex = HostArray.allocate(DataType.COMPLEX64, 2);
        complex.setComplex(1, 1, -2);
        assertThat(complex.values()).isEqualTo("[0.0+0.0i, 1.0-2.0i]");
        HostArray unsigned = HostArray.allocate(DataType.UINT64, 1);
        unsigned.setLong(0, -1);
        assertThat(unsigned.values()).isEqualTo("[18446744073709551615]");
        for (DataType type : DataType.values()) {
            assertThat(HostArray.allocate(type, 1).values()).startsWith("[0");
        }
    }

    private static void illegal(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(parts);
    }

    private static void outOfBounds(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IndexOutOfBoundsException.class)
                .message()
                .isNotEmpty();
    }

    @Test
    void whatThisJvmMayNotTakeIsToldWithTheWayOut() {
        assertThatThrownBy(() -> HostArray.allocate(DataType.FLOAT64, 1L << 50))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessageStartingWith("allocate of 1125899906842624 x FLOAT64: ")
                .hasMessageContaining("-XX:MaxDirectMemorySize");
    }

    @Test
    void viewsAreTheSameMemory() {
        HostArray complex = HostArray.allocate(DataType.COMPLEX64, 3);
        complex.setComplex(1, 2, -3);
        HostArray parts = complex.view(DataType.FLOAT32);
        assertThat(parts.toFloatArray()).containsExactly(0, 0, 2, -3, 0, 0);
        parts.slice(4, 2).fill(7);
        assertThat(complex.getImaginary(2)).isEqualTo(7);
        assertThat(HostArray.allocate(DataType.INT8, 0).view(DataType.INT64).count())
                .isZero();
        assertThatThrownBy(() -> HostArray.allocate(DataType.INT8, 12).view(DataType.INT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("12 bytes");
        HostArray odd = HostArray.allocate(DataType.INT8, 9).slice(1, 8);
        assertThatThrownBy(() -> odd.view(DataType.INT64)).isInstanceOf(IllegalArgumentException.class);
    }
}
