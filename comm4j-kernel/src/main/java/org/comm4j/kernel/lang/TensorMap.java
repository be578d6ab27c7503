// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.launch.TensorMaps;

/**
 * The shape of a tensor in global memory and of the boxes of it that {@link TensorCopy} moves ({@code CUtensorMap}). It
 * is 128 bytes of global memory, made by the host and read by the copy engine. sm_90 and later.
 *
 * @param place of the 128 bytes, at a multiple of 128
 * @param tensor its first element; read on the CPU only
 */
public record TensorMap(I8Ptr place, I8Ptr tensor) {
    /** Bytes of a map. */
    public static final int BYTES = 128;

    /** Dimensions at most. */
    public static final int MOST_DIMENSIONS = 5;

    /**
     * Makes the map of a dense tensor ({@code cuTensorMapEncodeTiled}). All arrays begin with the dimension whose
     * elements are contiguous. Elements outside of the tensor are read as 0 and not written.
     *
     * @param maps where it is put: {@code INT8}, memory of the same device as the tensor; it must live as long as
     *     kernels use the map
     * @param index of the map in {@code maps}, 128 bytes each
     * @param shape elements in each dimension
     * @param box elements that are copied at once in each dimension, 1 to 256; a row has a multiple of 16 bytes
     * @throws IllegalArgumentException if the copy engine cannot do it; the message says which limit
     */
    public static TensorMap of(Buffer maps, long index, Buffer tensor, long[] shape, int[] box, Swizzle swizzle) {
        return TensorMaps.make(maps, index, tensor, 0, shape, dense(tensor, shape), box, swizzle);
    }

    /**
     * Makes the map of a tensor that is a part of a buffer; as {@link #of(Buffer, long, Buffer, long[], int[],
     * Swizzle)}.
     *
     * @param first number of its first element in the buffer
     * @param strides bytes from one index to the next in each dimension but the first, multiples of 16
     */
    public static TensorMap of(
            Buffer maps,
            long index,
            Buffer tensor,
            long first,
            long[] shape,
            long[] strides,
            int[] box,
            Swizzle swizzle) {
        return TensorMaps.make(maps, index, tensor, first, shape, strides, box, swizzle);
    }

    private static long[] dense(Buffer tensor, long[] shape) {
        long[] strides = new long[Math.max(shape.length - 1, 0)];
        long stride = tensor.type().bytes();
        for (int i = 0; i < strides.length; i++) {
            stride *= shape[i];
            strides[i] = stride;
        }
        return strides;
    }

    /**
     * What the host has written to the map is seen by copies of this block after it ({@code
     * fence.proxy.tensormap::generic.acquire.sys}). A thread says it once, before the first copy.
     */
    @InlinePtx(value = "fence.proxy.tensormap::generic.acquire.sys [$1], 128;", since = 90)
    public void acquire() {
        // The CPU has one proxy.
    }

    /** Brings the map nearer ({@code prefetch.tensormap}). */
    @InlinePtx(value = "prefetch.tensormap [$1];", since = 90)
    public void prefetch() {
        // The CPU needs no hint.
    }

    // ---- on the CPU: the same facts in the same 128 bytes ----

    /** Says that the bytes are a map of the CPU's. */
    public static final int MAGIC = 0x7c34_6d70;

    /** What swizzles move, in bytes. */
    private static final int PIECE = 16;

    /** On the CPU, which number of a map is its type. */
    public static final int TYPE = 14;

    /** On the CPU, where the strides are in a map. */
    public static final long STRIDES = 64;

    private int number(int index) {
        return place.segment.get(JAVA_INT_UNALIGNED, place.offset + 4L * index);
    }

    /** What is done with a piece of a box: where it is in shared memory, its first element in its row, and its row. */
    private interface Pieces {
        void take(long there, boolean inside, int first, long from);
    }

    /** Copies a box; what is outside of the tensor is 0, or not written. */
    void copy(MemorySegment shared, long offset, boolean toShared, int... at) {
        walk(shared, offset, at, (there, inside, first, from) -> {
            int bytes = number(2);
            if (!inside || first < 0 || first + (PIECE - 1) / bytes >= number(4)) {
                piece(shared, there, toShared, inside, first, from);
                return;
            }
            long element = tensor.offset + from + (long) first * bytes;
            MemorySegment global = tensor.segment;
            MemorySegment.copy(
                    toShared ? global : shared,
                    toShared ? element : there,
                    toShared ? shared : global,
                    toShared ? there : element,
                    PIECE);
        });
    }

    /** Adds a box to the tensor, element by element. */
    void add(MemorySegment shared, long offset, int... at) {
        DataType type = DataType.values()[number(TYPE)];
        int bytes = number(2);
        walk(shared, offset, at, (there, inside, first, from) -> {
            for (int i = 0; i < PIECE / bytes; i++) {
                int index = first + i;
                if (inside && index >= 0 && index < number(4)) {
                    I8Ptr to = tensor.plus(from + (long) index * bytes);
                    I8Ptr value = new I8Ptr(shared, there + (long) i * bytes, null);
                    // Blocks run in parallel.
                    synchronized (TensorMap.class) {
                        add(type, to, value);
                    }
                }
            }
        });
    }

    private static void add(DataType type, I8Ptr to, I8Ptr value) {
        switch (type) {
            case FLOAT32 -> to.asF32().set(0, to.asF32().get(0) + value.asF32().get(0));
            case FLOAT16 -> to.asF16().set(0, to.asF16().get(0) + value.asF16().get(0));
            case BFLOAT16 ->
                to.asBF16().set(0, to.asBF16().get(0) + value.asBF16().get(0));
            case INT32, UINT32 ->
                to.asI32().set(0, to.asI32().get(0) + value.asI32().get(0));
            case INT64, UINT64 ->
                to.asI64().set(0, to.asI64().get(0) + value.asI64().get(0));
            default ->
                throw new IllegalArgumentException(
                        "the copy engine does not add " + type + " (TensorCopy.addToGlobal); it adds FLOAT32, FLOAT16,"
                                + " BFLOAT16 and integers of 32 and 64 bits");
        }
    }

    private void walk(MemorySegment shared, long offset, int[] at, Pieces pieces) {
        if (number(0) != MAGIC) {
            throw new IllegalStateException("a TensorMap that TensorMap.of did not make, or that was overwritten");
        }
        int rank = number(1);
        if (rank != at.length) {
            throw new IllegalArgumentException(
                    "a copy with " + at.length + " coordinates of a tensor with " + rank + " dimensions");
        }
        int bytes = number(2);
        Swizzle swizzle = Swizzle.values()[number(3)];
        int row = bytes * number(4 + MOST_DIMENSIONS);
        long base = shared.address();
        if ((base + offset) % 128 != 0) {
            throw new IllegalArgumentException("a box is at a multiple of 128 bytes in shared memory, not at "
                    + (base + offset) + " (TensorCopy)");
        }
        if ((long) at[0] * bytes % PIECE != 0) {
            throw new IllegalArgumentException("a box begins at a multiple of " + PIECE
                    + " bytes of a row, not at element " + at[0] + " of " + bytes + " bytes (TensorCopy)");
        }
        int rows = 1;
        for (int i = 1; i < rank; i++) {
            rows *= number(4 + MOST_DIMENSIONS + i);
        }
        for (int r = 0; r < rows; r++) {
            long from = 0;
            boolean inside = true;
            int rest = r;
            for (int i = 1; i < rank; i++) {
                int index = at[i] + rest % number(4 + MOST_DIMENSIONS + i);
                rest /= number(4 + MOST_DIMENSIONS + i);
                inside &= index >= 0 && index < number(4 + i);
                from += index * place.segment.get(JAVA_LONG_UNALIGNED, place.offset + STRIDES + 8L * (i - 1));
            }
            for (int x = 0; x < row; x += PIECE) {
                long there = swizzle.place(base + offset + (long) r * row + x) - base;
                pieces.take(there, inside, at[0] + x / bytes, from);
            }
        }
    }

    /** A piece of which not all is in the tensor. */
    private void piece(MemorySegment shared, long there, boolean toShared, boolean inside, int first, long from) {
        int bytes = number(2);
        for (int i = 0; i < PIECE; i++) {
            int index = first + i / bytes;
            boolean is = inside && index >= 0 && index < number(4);
            long element = from + (long) index * bytes + i % bytes;
            if (toShared) {
                shared.set(Ptr.BYTE, there + i, is ? tensor.get(element) : 0);
            } else if (is) {
                tensor.set(element, shared.get(Ptr.BYTE, there + i));
            }
        }
    }

    /** Bytes of a box. */
    int boxBytes() {
        int bytes = number(2);
        for (int i = 0; i < number(1); i++) {
            bytes *= number(4 + MOST_DIMENSIONS + i);
        }
        return bytes;
    }
}
