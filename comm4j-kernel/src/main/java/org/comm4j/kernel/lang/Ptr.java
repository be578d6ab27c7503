// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.jspecify.annotations.Nullable;

/**
 * A typed pointer. On a GPU it is an address and nothing is checked; on the CPU it remembers the memory that it came
 * from, and an index outside of it is an exception. Indices count elements. A pointer into the memory of a GPU can be
 * made and moved on the host; reading is for kernels.
 *
 * <p>Reads, writes, {@code plus} and the casts {@code as…} are instructions of the compiler; everything else here is
 * written with them and with the PTX of {@link Atomic32}, {@link Atomic64} and {@link CachedAccess}.
 */
public abstract sealed class Ptr
        permits F32Ptr, F64Ptr, I8Ptr, I16Ptr, I32Ptr, I64Ptr, F16Ptr, BF16Ptr, F8E4M3Ptr, F8E5M2Ptr {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    static final VarHandle VOLATILE_BYTE = BYTE.varHandle();
    static final VarHandle VOLATILE_SHORT = ValueLayout.JAVA_SHORT.varHandle();
    static final VarHandle VOLATILE_INT = ValueLayout.JAVA_INT.varHandle();
    static final VarHandle VOLATILE_LONG = ValueLayout.JAVA_LONG.varHandle();
    static final VarHandle VOLATILE_FLOAT = ValueLayout.JAVA_FLOAT.varHandle();
    static final VarHandle VOLATILE_DOUBLE = ValueLayout.JAVA_DOUBLE.varHandle();

    /**
     * The most elements between a pointer and what it is used for: more are in no memory, and counted in bytes they
     * would wrap around.
     */
    static final long FARTHEST = 1L << 58;

    /** What it points into; of length 0 if that is not memory of the host. */
    final MemorySegment segment;
    /** In bytes. */
    final long offset;
    /** What a pointer that the host made came from. */
    final @Nullable Buffer buffer;

    Ptr(MemorySegment segment, long offset, int alignment, @Nullable Buffer buffer) {
        this.segment = segment;
        this.offset = offset;
        this.buffer = buffer;
    }

    Ptr(Ptr from, long elements, int size) {
        long offset = from.at(elements, size);
        if (Math.abs(offset) > 8 * FARTHEST) {
            throw outside(elements);
        }
        this.segment = from.segment;
        this.offset = offset;
        this.buffer = from.buffer;
    }

    /**
     * Returns the byte in the segment at which an element begins. The check is one that the JIT compiler knows: of what
     * was an int nothing is left of it, and in loops it is made once.
     */
    final long at(long i, int size) {
        try {
            long _ = Objects.checkIndex(i + FARTHEST, 2 * FARTHEST);
        } catch (IndexOutOfBoundsException e) {
            throw outside(i);
        }
        return offset + i * size;
    }

    private static IndexOutOfBoundsException outside(long i) {
        return new IndexOutOfBoundsException(
                "element " + i + " is in no memory: an index is at most 2 to the power of 58");
    }

    /**
     * Returns a pointer to the beginning of a buffer, of the class for its elements; for complex ones of the class for
     * their parts, which are pairs. A kernel with a parameter of type {@code Ptr} takes any buffer, and casts.
     */
    public static Ptr of(Buffer buffer) {
        Objects.requireNonNull(buffer, "buffer");
        MemorySegment memory = segment(buffer);
        return switch (buffer.type()) {
            case INT8, UINT8 -> new I8Ptr(memory, 0, buffer);
            case INT16, UINT16 -> new I16Ptr(memory, 0, buffer);
            case INT32, UINT32 -> new I32Ptr(memory, 0, buffer);
            case INT64, UINT64 -> new I64Ptr(memory, 0, buffer);
            case FLOAT16 -> new F16Ptr(memory, 0, buffer);
            case BFLOAT16 -> new BF16Ptr(memory, 0, buffer);
            case FLOAT8_E4M3 -> new F8E4M3Ptr(memory, 0, buffer);
            case FLOAT8_E5M2 -> new F8E5M2Ptr(memory, 0, buffer);
            case FLOAT32, COMPLEX64 -> new F32Ptr(memory, 0, buffer);
            case FLOAT64, COMPLEX128 -> new F64Ptr(memory, 0, buffer);
        };
    }

    /** Of memory that is not the host's, the address alone. */
    static MemorySegment segment(Buffer buffer) {
        return buffer instanceof HostArray array ? array.segment() : MemorySegment.ofAddress(buffer.address());
    }

    static void checkBuffer(String type, Buffer buffer, long index, DataType... types) {
        nonNull(buffer, type, "buffer");
        if (!Arrays.asList(types).contains(buffer.type())) {
            throw new IllegalArgumentException("a pointer " + type + " is for elements of "
                    + Arrays.stream(types).map(DataType::name).collect(Collectors.joining(" or "))
                    + ", not for those of " + buffer);
        }
        if (index < 0 || index > buffer.count()) {
            throw new IndexOutOfBoundsException("element " + index + " is outside of " + buffer);
        }
    }

    final void checkAligned(long bytes, int alignment) {
        if ((segment.address() + offset + bytes) % alignment != 0) {
            throw misaligned(bytes, alignment);
        }
    }

    private IllegalArgumentException misaligned(long bytes, int alignment) {
        return new IllegalArgumentException("the address 0x" + Long.toHexString(segment.address() + offset + bytes)
                + " is not a multiple of " + alignment + " bytes, as this access needs");
    }

    /** Returns the same address. */
    public final F32Ptr asF32() {
        checkAligned(0, 4);
        return new F32Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final F64Ptr asF64() {
        checkAligned(0, 8);
        return new F64Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final I8Ptr asI8() {
        checkAligned(0, 1);
        return new I8Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final I16Ptr asI16() {
        checkAligned(0, 2);
        return new I16Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final I32Ptr asI32() {
        checkAligned(0, 4);
        return new I32Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final I64Ptr asI64() {
        checkAligned(0, 8);
        return new I64Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final F16Ptr asF16() {
        checkAligned(0, 2);
        return new F16Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final BF16Ptr asBF16() {
        checkAligned(0, 2);
        return new BF16Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final F8E4M3Ptr asF8E4M3() {
        checkAligned(0, 1);
        return new F8E4M3Ptr(segment, offset, buffer);
    }

    /** Returns the same address. */
    public final F8E5M2Ptr asF8E5M2() {
        checkAligned(0, 1);
        return new F8E5M2Ptr(segment, offset, buffer);
    }

    /** Returns what it points to; of unsigned integers the signed ones of their size. In kernels a constant. */
    public abstract DataType elementType();

    /** Returns the size of an element. In kernels a constant. */
    public final int elementBytes() {
        return elementType().bytes();
    }

    /**
     * Returns the address in the address space of the memory's device. On the CPU, of a shared or local array, the
     * place within it in bytes.
     */
    @InlinePtx(value = "mov.b64 $0, $1;", effects = false)
    public final long address() {
        return segment.address() + offset;
    }

    /**
     * On the CPU, the memory from here on, for the Java bodies of device functions.
     *
     * @throws IndexOutOfBoundsException if there are not so many bytes
     */
    public final MemorySegment memory(long bytes) {
        return segment.asSlice(offset, bytes);
    }

    /** On the CPU, the memory from here to the end of what this points into. */
    public final MemorySegment memory() {
        return segment.asSlice(offset);
    }

    /** On the CPU, all that this points into, also what is before it: indices may be negative. */
    public final MemorySegment allMemory() {
        return segment;
    }

    /** Returns the buffer that a pointer made on the host came from; null inside a kernel. */
    public final @Nullable Buffer buffer() {
        return buffer;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[0x" + Long.toHexString(segment.address() + offset)
                + (buffer == null ? "]" : " in " + buffer + "]");
    }
}
