// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A {@link Buffer} in off-heap host memory: a {@link MemorySegment} with an element type.
 *
 * <p>Element access converts where nothing is lost on reading: {@link #getFloat} reads every real floating-point type
 * of at most 32 bits, {@link #getDouble} every one, {@link #getLong} every integer type (unsigned ones zero-extended).
 * Writing rounds to nearest or keeps the low bits. Other combinations are an {@link IllegalArgumentException}.
 *
 * <p>Access is bounds-checked and checks that the memory is alive. Plain access is not atomic across threads or
 * processes.
 */
public class HostArray implements Buffer {
    /** Alignment of memory allocated here: a cache line, and enough for every vector instruction. */
    private static final long ALIGNMENT = 64;

    private final DataType type;
    private final long count;
    private final MemorySegment segment;

    /**
     * For engines that make arrays of their own; users call {@link #allocate}, {@link #wrap} or {@link #of}.
     *
     * @param segment exactly {@code count} elements of native memory
     */
    protected HostArray(DataType type, MemorySegment segment) {
        nonNull(segment, "wrap", "segment");
        nonNull(type, "wrap", "type");
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "a HostArray needs off-heap memory, but the segment is a Java array; copy it"
                            + " with HostArray.of or copyFrom");
        }
        if (segment.byteSize() % type.bytes() != 0) {
            throw new IllegalArgumentException("a segment of " + segment.byteSize() + " bytes holds no whole number of "
                    + type + " elements (" + type.bytes() + " bytes each)");
        }
        if (segment.address() % type.alignment() != 0) {
            throw new IllegalArgumentException("the segment's address 0x" + Long.toHexString(segment.address())
                    + " is not aligned to the " + type.alignment() + " bytes that " + type + " needs");
        }
        this.type = type;
        this.segment = segment;
        this.count = segment.byteSize() / type.bytes();
    }

    /**
     * Returns zeroed memory for {@code count} elements, freed by the garbage collector when nothing refers to it any
     * more.
     */
    public static HostArray allocate(DataType type, long count) {
        return allocate(Arena.ofAuto(), type, count);
    }

    /**
     * Returns zeroed memory for {@code count} elements, freed when {@code arena} closes.
     *
     * @throws OutOfMemoryError if that is more than this JVM may still take; the message says how it may take more
     */
    public static HostArray allocate(Arena arena, DataType type, long count) {
        nonNull(arena, "allocate", "arena");
        nonNull(type, "allocate", "type");
        long bytes = bytes(type, count);
        try {
            return new HostArray(type, arena.allocate(bytes, ALIGNMENT));
        } catch (OutOfMemoryError e) {
            OutOfMemoryError told = new OutOfMemoryError("allocate of " + count + " x " + type + ": " + e.getMessage()
                    + "; close arenas of arrays that are not needed any more, or start java with a larger"
                    + " -XX:MaxDirectMemorySize (-Xmx without it)");
            told.initCause(e);
            throw told;
        }
    }

    /** Returns a view of native memory that somebody else owns; nothing is copied. */
    public static HostArray wrap(MemorySegment segment, DataType type) {
        return new HostArray(type, segment);
    }

    /** Returns a new {@code FLOAT32} array with these values. */
    public static HostArray of(float... values) {
        nonNull(values, "of", "values");
        HostArray array = allocate(DataType.FLOAT32, values.length);
        array.copyFrom(values);
        return array;
    }

    /** Returns a new {@code FLOAT64} array with these values. */
    public static HostArray of(double... values) {
        nonNull(values, "of", "values");
        HostArray array = allocate(DataType.FLOAT64, values.length);
        array.copyFrom(values);
        return array;
    }

    /** Returns a new {@code INT32} array with these values. */
    public static HostArray of(int... values) {
        nonNull(values, "of", "values");
        HostArray array = allocate(DataType.INT32, values.length);
        array.copyFrom(values);
        return array;
    }

    /** Returns a new {@code INT64} array with these values. */
    public static HostArray of(long... values) {
        nonNull(values, "of", "values");
        HostArray array = allocate(DataType.INT64, values.length);
        array.copyFrom(values);
        return array;
    }

    /**
     * Returns the bytes of {@code count} elements.
     *
     * @throws IllegalArgumentException if {@code count} is negative or the size leaves the range of a long
     */
    public static long bytes(DataType type, long count) {
        nonNull(type, "bytes", "type");
        if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
            throw new IllegalArgumentException(
                    "count " + count + " is not a number of " + type + " elements that memory can hold");
        }
        return count * type.bytes();
    }

    @Override
    public final DataType type() {
        return type;
    }

    @Override
    public final long count() {
        return count;
    }

    @Override
    public final long address() {
        return segment.address();
    }

    @Override
    public final long byteSize() {
        return segment.byteSize();
    }

    /** Returns the memory itself. */
    public final MemorySegment segment() {
        return segment;
    }

    @Override
    public boolean isAlive() {
        return segment.scope().isAlive();
    }

    @Override
    public HostArray slice(long offset, long count) {
        return new HostArray(type, sliceSegment(offset, count));
    }

    @Override
    public HostArray view(DataType other) {
        return new HostArray(other, viewSegment(other));
    }

    /** The memory, with a check that it is whole elements of another type, where such elements can be. */
    protected final MemorySegment viewSegment(DataType other) {
        nonNull(other, "view", "other");
        if (byteSize() % other.bytes() != 0 || address() % other.alignment() != 0) {
            throw new IllegalArgumentException(
                    "view: the " + byteSize() + " bytes of " + this + " cannot be seen as elements of " + other);
        }
        return segment;
    }

    /** The memory of {@code count} elements from {@code offset} on, with the range checked. */
    protected final MemorySegment sliceSegment(long offset, long count) {
        if (offset < 0 || count < 0 || offset > this.count - count) {
            throw new IndexOutOfBoundsException("slice of " + count + " elements at " + offset + " leaves " + this);
        }
        return segment.asSlice(offset * type.bytes(), count * type.bytes());
    }

    // ---- elements ----

    /** Reads element {@code i} of a real floating-point array of at most 32 bits. */
    public final float getFloat(long i) {
        return getFloat("getFloat", i);
    }

    private float getFloat(String method, long i) {
        checkIndex(i);
        return switch (type) {
            case FLOAT32 -> segment.getAtIndex(JAVA_FLOAT, i);
            case FLOAT16 -> Float.float16ToFloat(segment.getAtIndex(JAVA_SHORT, i));
            case BFLOAT16 -> SmallFloats.bfloat16ToFloat(segment.getAtIndex(JAVA_SHORT, i));
            case FLOAT8_E4M3 -> SmallFloats.e4m3ToFloat(segment.get(JAVA_BYTE, i));
            case FLOAT8_E5M2 -> SmallFloats.e5m2ToFloat(segment.get(JAVA_BYTE, i));
            default -> throw mismatch(method);
        };
    }

    /** Writes element {@code i} of any real floating-point array, rounding to nearest. */
    public final void setFloat(long i, float value) {
        setFloat("setFloat", i, value);
    }

    private void setFloat(String method, long i, float value) {
        checkIndex(i);
        switch (type) {
            case FLOAT32 -> segment.setAtIndex(JAVA_FLOAT, i, value);
            case FLOAT64 -> segment.setAtIndex(JAVA_DOUBLE, i, value);
            case FLOAT16 -> segment.setAtIndex(JAVA_SHORT, i, Float.floatToFloat16(value));
            case BFLOAT16 -> segment.setAtIndex(JAVA_SHORT, i, SmallFloats.floatToBfloat16(value));
            case FLOAT8_E4M3 -> segment.set(JAVA_BYTE, i, SmallFloats.floatToE4m3(value));
            case FLOAT8_E5M2 -> segment.set(JAVA_BYTE, i, SmallFloats.floatToE5m2(value));
            default -> throw mismatch(method);
        }
    }

    /** Reads element {@code i} of any real floating-point array. */
    public final double getDouble(long i) {
        if (type != DataType.FLOAT64) {
            return getFloat("getDouble", i);
        }
        checkIndex(i);
        return segment.getAtIndex(JAVA_DOUBLE, i);
    }

    /**
     * Writes element {@code i} of any real floating-point array, rounding to nearest (through float32 for the 8 and 16
     * bit types).
     */
    public final void setDouble(long i, double value) {
        if (type != DataType.FLOAT64) {
            setFloat("setDouble", i, (float) value);
            return;
        }
        checkIndex(i);
        segment.setAtIndex(JAVA_DOUBLE, i, value);
    }

    /** Reads element {@code i} of any integer array; {@code UINT64} keeps its bits. */
    public final long getLong(long i) {
        checkIndex(i);
        return switch (type) {
            case INT8 -> segment.get(JAVA_BYTE, i);
            case UINT8 -> segment.get(JAVA_BYTE, i) & 0xffL;
            case INT16 -> segment.getAtIndex(JAVA_SHORT, i);
            case UINT16 -> segment.getAtIndex(JAVA_SHORT, i) & 0xffffL;
            case INT32 -> segment.getAtIndex(JAVA_INT, i);
            case UINT32 -> segment.getAtIndex(JAVA_INT, i) & 0xffff_ffffL;
            case INT64, UINT64 -> segment.getAtIndex(JAVA_LONG, i);
            default -> throw mismatch("getLong");
        };
    }

    /** Writes the low bits of {@code value} to element {@code i} of any integer array. */
    public final void setLong(long i, long value) {
        checkIndex(i);
        switch (type) {
            case INT8, UINT8 -> segment.set(JAVA_BYTE, i, (byte) value);
            case INT16, UINT16 -> segment.setAtIndex(JAVA_SHORT, i, (short) value);
            case INT32, UINT32 -> segment.setAtIndex(JAVA_INT, i, (int) value);
            case INT64, UINT64 -> segment.setAtIndex(JAVA_LONG, i, value);
            default -> throw mismatch("setLong");
        }
    }

    /** Reads element {@code i} of an integer array of at most 32 bits; {@code UINT32} keeps its bits. */
    public final int getInt(long i) {
        if (!type.isInteger() || type.bytes() > Integer.BYTES) {
            throw mismatch("getInt");
        }
        return (int) getLong(i);
    }

    /** Writes {@code value}, sign-extended or cut to its low bits, to element {@code i} of any integer array. */
    public final void setInt(long i, int value) {
        if (!type.isInteger()) {
            throw mismatch("setInt");
        }
        setLong(i, value);
    }

    /** Returns the real part of element {@code i} of a complex array. */
    public final double getReal(long i) {
        return complexPart("getReal", i, 0);
    }

    /** Returns the imaginary part of element {@code i} of a complex array. */
    public final double getImaginary(long i) {
        return complexPart("getImaginary", i, 1);
    }

    /** Writes element {@code i} of a complex array; {@code COMPLEX64} rounds both parts to nearest. */
    public final void setComplex(long i, double real, double imaginary) {
        checkIndex(i);
        switch (type) {
            case COMPLEX64 -> {
                segment.setAtIndex(JAVA_FLOAT, 2 * i, (float) real);
                segment.setAtIndex(JAVA_FLOAT, 2 * i + 1, (float) imaginary);
            }
            case COMPLEX128 -> {
                segment.setAtIndex(JAVA_DOUBLE, 2 * i, real);
                segment.setAtIndex(JAVA_DOUBLE, 2 * i + 1, imaginary);
            }
            default -> throw mismatch("setComplex");
        }
    }

    private double complexPart(String method, long i, int part) {
        checkIndex(i);
        return switch (type) {
            case COMPLEX64 -> segment.getAtIndex(JAVA_FLOAT, 2 * i + part);
            case COMPLEX128 -> segment.getAtIndex(JAVA_DOUBLE, 2 * i + part);
            default -> throw mismatch(method);
        };
    }

    @Override
    public final void fill(double value) {
        checkAlive("fill");
        if (count == 0) {
            return;
        }
        if (type.isComplex()) {
            setComplex(0, value, 0);
        } else if (type.isInteger()) {
            setLong(0, (long) value);
        } else {
            setDouble(0, value);
        }
        // Doubling copies fill at memory speed, whatever the type.
        long element = type.bytes();
        for (long filled = element; filled < byteSize(); filled *= 2) {
            long more = Math.min(filled, byteSize() - filled);
            MemorySegment.copy(segment, 0, segment, filled, more);
        }
    }

    // ---- bulk copies ----

    @Override
    public final void copyFrom(HostArray source) {
        nonNull(source, "copyFrom", "source");
        copy("copyFrom", source, this, source);
    }

    @Override
    public final void copyTo(HostArray target) {
        nonNull(target, "copyTo", "target");
        copy("copyTo", this, target, target);
    }

    private void copy(String method, HostArray from, HostArray to, HostArray other) {
        if (other.type != type || other.count != count) {
            throw new IllegalArgumentException(method + ": " + other + " does not have the type and count of " + this);
        }
        checkAlive(method);
        other.checkAlive(method);
        try {
            to.segment.copyFrom(from.segment);
        } catch (IllegalStateException e) {
            // By another thread, which has closed a shared arena meanwhile.
            throw new IllegalStateException(
                    method + ": the memory of " + (isAlive() ? other : this) + " was freed during the copy", e);
        }
    }

    /** Copies all of {@code source} to the front of this {@code FLOAT32} array. */
    public final void copyFrom(float[] source) {
        nonNull(source, "copyFrom", "source");
        checkBulk("copyFrom(float[])", source.length, DataType.FLOAT32, DataType.FLOAT32);
        MemorySegment.copy(source, 0, segment, JAVA_FLOAT, 0, source.length);
    }

    /** Copies all of {@code source} to the front of this {@code FLOAT64} array. */
    public final void copyFrom(double[] source) {
        nonNull(source, "copyFrom", "source");
        checkBulk("copyFrom(double[])", source.length, DataType.FLOAT64, DataType.FLOAT64);
        MemorySegment.copy(source, 0, segment, JAVA_DOUBLE, 0, source.length);
    }

    /** Copies all of {@code source} to the front of this array of 64-bit integers. */
    public final void copyFrom(long[] source) {
        nonNull(source, "copyFrom", "source");
        checkBulk("copyFrom(long[])", source.length, DataType.INT64, DataType.UINT64);
        MemorySegment.copy(source, 0, segment, JAVA_LONG, 0, source.length);
    }

    /** Copies all of {@code source} to the front of this array of 32-bit integers. */
    public final void copyFrom(int[] source) {
        nonNull(source, "copyFrom", "source");
        checkBulk("copyFrom(int[])", source.length, DataType.INT32, DataType.UINT32);
        MemorySegment.copy(source, 0, segment, JAVA_INT, 0, source.length);
    }

    /** Copies all of {@code source}, as raw bits, to the front of this array of 16-bit elements. */
    public final void copyFrom(short[] source) {
        nonNull(source, "copyFrom", "source");
        checkRaw("copyFrom(short[])", source.length, 2);
        MemorySegment.copy(source, 0, segment, JAVA_SHORT, 0, source.length);
    }

    /** Copies all of {@code source}, as raw bits, to the front of this array of 8-bit elements. */
    public final void copyFrom(byte[] source) {
        nonNull(source, "copyFrom", "source");
        checkRaw("copyFrom(byte[])", source.length, 1);
        MemorySegment.copy(source, 0, segment, JAVA_BYTE, 0, source.length);
    }

    /** Returns the elements of a {@code FLOAT32} array. */
    @Override
    public final float[] toFloatArray() {
        checkBulk("toFloatArray", 0, DataType.FLOAT32, DataType.FLOAT32);
        return segment.toArray(JAVA_FLOAT);
    }

    /** Returns the elements of a {@code FLOAT64} array. */
    @Override
    public final double[] toDoubleArray() {
        checkBulk("toDoubleArray", 0, DataType.FLOAT64, DataType.FLOAT64);
        return segment.toArray(JAVA_DOUBLE);
    }

    /** Returns the elements of an array of 64-bit integers. */
    @Override
    public final long[] toLongArray() {
        checkBulk("toLongArray", 0, DataType.INT64, DataType.UINT64);
        return segment.toArray(JAVA_LONG);
    }

    /** Returns the elements of an array of 32-bit integers. */
    @Override
    public final int[] toIntArray() {
        checkBulk("toIntArray", 0, DataType.INT32, DataType.UINT32);
        return segment.toArray(JAVA_INT);
    }

    /** Returns the raw bits of an array of 16-bit elements. */
    public final short[] toShortArray() {
        checkRaw("toShortArray", 0, 2);
        return segment.toArray(JAVA_SHORT);
    }

    /** Returns the raw bits of an array of 8-bit elements. */
    public final byte[] toByteArray() {
        checkRaw("toByteArray", 0, 1);
        return segment.toArray(JAVA_BYTE);
    }

    private void checkBulk(String method, int length, DataType first, DataType second) {
        if (type != first && type != second) {
            throw mismatch(method);
        }
        checkLength(method, length);
    }

    private void checkRaw(String method, int length, int bytes) {
        if (type.bytes() != bytes) {
            throw mismatch(method);
        }
        checkLength(method, length);
    }

    private void checkLength(String method, int length) {
        checkAlive(method);
        if (length > count) {
            throw new IndexOutOfBoundsException(method + ": " + length + " elements do not fit into " + this);
        }
    }

    private void checkAlive(String method) {
        if (!isAlive()) {
            throw new IllegalStateException(method + ": the memory of " + this + " was freed");
        }
    }

    private void checkIndex(long i) {
        if (i < 0 || i >= count) {
            throw new IndexOutOfBoundsException("index " + i + " is outside " + this);
        }
    }

    private IllegalArgumentException mismatch(String method) {
        return new IllegalArgumentException(method + " is not for elements of " + type + " (" + this + ")");
    }

    /** Returns the values as text: all of a few, the first and the last ones of many. */
    public final String values() {
        checkAlive("values");
        return ArrayText.values(this);
    }

    /** Returns class, count and type, by which messages name an array; {@link #values} has what is in it. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + count + " x " + type + (isAlive() ? "]" : ", freed]");
    }
}
