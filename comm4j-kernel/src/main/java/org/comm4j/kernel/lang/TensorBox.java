// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.kernel.launch.TensorMaps;

/** Copies of boxes on the CPU, where the 128 bytes of a {@link TensorMap} are those of {@link TensorMaps}. */
final class TensorBox {
    /** What swizzles move, in bytes. */
    private static final int PIECE = 16;

    private final TensorMap map;
    private final int rank;
    private final DataType type;
    private final int bytes;
    private final boolean isIm2col;

    /** The number of elements in the contiguous dimension. */
    private final int length;

    TensorBox(TensorMap map) {
        this.map = map;
        if (number(TensorMaps.MAGIC_AT) != TensorMaps.MAGIC) {
            throw new IllegalStateException("a TensorMap that TensorMap.of did not make, or that was overwritten");
        }
        rank = number(TensorMaps.RANK);
        type = DataType.values()[number(TensorMaps.TYPE)];
        bytes = type.bytes();
        isIm2col = number(TensorMaps.IM2COL) != 0;
        length = number(TensorMaps.SHAPE);
    }

    private int number(int index) {
        return map.place().segment.get(JAVA_INT_UNALIGNED, map.place().offset + 4L * index);
    }

    private long stride(int dimension) {
        return map.place()
                .segment
                .get(JAVA_LONG_UNALIGNED, map.place().offset + TensorMaps.STRIDES + 8L * (dimension - 1));
    }

    private int shape(int dimension) {
        return number(TensorMaps.SHAPE + dimension);
    }

    private int box(int dimension) {
        return number(TensorMaps.BOX + dimension);
    }

    /** What is done with a piece of a box: where it is in shared memory, its first element in its row, and its row. */
    private interface Pieces {
        void take(long there, boolean inside, int first, long from);
    }

    /** Copies a box; what is outside of the tensor is 0, or not written. */
    void copy(MemorySegment shared, long offset, boolean toShared, int... at) {
        checkTiled();
        copyPieces(shared, offset, toShared, at, new int[3]);
    }

    /** Copies pixels, {@code filter} further in the dimensions of an image than the window says. */
    void im2col(MemorySegment shared, long offset, int[] at, int[] filter) {
        if (!isIm2col) {
            throw new IllegalArgumentException("TensorCopy.im2col with a map that TensorMap.im2col did not make");
        }
        copyPieces(shared, offset, true, at, filter);
    }

    private void checkTiled() {
        if (isIm2col) {
            throw new IllegalArgumentException(
                    "a map of TensorMap.im2col is for TensorCopy.im2col, not for boxes: make another by TensorMap.of");
        }
    }

    private void copyPieces(MemorySegment shared, long offset, boolean toShared, int[] at, int[] filter) {
        I8Ptr tensor = map.tensor();
        walk(shared, offset, at, filter, (there, inside, first, from) -> {
            if (!inside || first < 0 || first + (PIECE - 1) / bytes >= length) {
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

    /** Combines a box with the tensor, element by element. */
    void reduce(BulkReduction by, MemorySegment shared, long offset, int... at) {
        checkTiled();
        walk(shared, offset, at, new int[3], (there, inside, first, from) -> {
            int begin = Math.max(first, 0);
            int end = Math.min(first + PIECE / bytes, length);
            if (inside && begin < end) {
                I8Ptr values = new I8Ptr(shared, there + (long) (begin - first) * bytes, null);
                by.apply(type, map.tensor().plus(from + (long) begin * bytes), values, end - begin);
            }
        });
    }

    private void walk(MemorySegment shared, long offset, int[] at, int[] filter, Pieces pieces) {
        if (rank != at.length) {
            throw new IllegalArgumentException(
                    "a copy with " + at.length + " coordinates of a tensor with " + rank + " dimensions");
        }
        Swizzle swizzle = Swizzle.values()[number(TensorMaps.SWIZZLE)];
        int row = bytes * box(0);
        long base = shared.address();
        if ((base + offset) % 128 != 0) {
            throw new IllegalArgumentException("a box is at a multiple of 128 bytes in shared memory, not at "
                    + (base + offset) + " (TensorCopy)");
        }
        if ((long) at[0] * bytes % PIECE != 0) {
            throw new IllegalArgumentException("a box begins at a multiple of " + PIECE
                    + " bytes of a row, not at element " + at[0] + " of " + bytes + " bytes (TensorCopy)");
        }
        int[] index = at.clone();
        int rows = rows();
        for (int r = 0; r < rows; r++) {
            long from = 0;
            boolean inside = true;
            for (int i = 1; i < rank; i++) {
                int place = index[i] + (i < rank - 1 ? filter[i - 1] : 0);
                inside &= place >= 0 && place < shape(i);
                from += place * stride(i);
            }
            for (int x = 0; x < row; x += PIECE) {
                long there = swizzle.place(base + offset + (long) r * row + x) - base;
                pieces.take(there, inside, at[0] + x / bytes, from);
            }
            step(index, at);
        }
    }

    private int rows() {
        if (isIm2col) {
            return box(1);
        }
        int rows = 1;
        for (int i = 1; i < rank; i++) {
            rows *= box(i);
        }
        return rows;
    }

    /** Goes on to the next row of a box, or to the next pixel of the window. */
    private void step(int[] index, int[] at) {
        for (int i = 1; i < rank; i++) {
            if (isIm2col && i == rank - 1) {
                index[i]++;
                return;
            }
            int begin = isIm2col ? number(TensorMaps.LOWER + i - 1) : at[i];
            int end = isIm2col ? shape(i) + number(TensorMaps.UPPER + i - 1) : at[i] + box(i);
            index[i] += isIm2col ? box(1 + i) : 1;
            if (index[i] < end) {
                return;
            }
            index[i] = begin;
        }
    }

    /** A piece of which not all is in the tensor. */
    private void piece(MemorySegment shared, long there, boolean toShared, boolean inside, int first, long from) {
        for (int i = 0; i < PIECE; i++) {
            int index = first + i / bytes;
            boolean is = inside && index >= 0 && index < length;
            long element = from + (long) index * bytes + i % bytes;
            if (toShared) {
                shared.set(Ptr.BYTE, there + i, is ? map.tensor().get(element) : 0);
            } else if (is) {
                map.tensor().set(element, shared.get(Ptr.BYTE, there + i));
            }
        }
    }

    /** Bytes of a box. */
    int boxBytes() {
        return bytes * box(0) * rows();
    }
}
