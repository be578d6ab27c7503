// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * A matrix by rows without its zeros, of which each four neighbours in a row have two, of {@code FLOAT32} each two one
 * (2:4 and 1:2 structured sparsity), as {@link WgmmaSparse} takes it for its left factor.
 *
 * @param values m × k / 2 elements
 * @param metadata where they were: {@code INT32}, one for each thread of a warpgroup, {@link #step} summed indices and
 *     64 rows
 */
public record StructuredMatrix(HostArray values, HostArray metadata) {
    private static final int ROWS = 64;
    private static final Set<DataType> TYPES = EnumSet.of(
            DataType.BFLOAT16, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2, DataType.FLOAT32);

    /**
     * Takes the zeros out of a matrix.
     *
     * @param dense m × k elements of {@code BFLOAT16}, {@code FLOAT16}, {@code FLOAT8_E4M3}, {@code FLOAT8_E5M2} or
     *     {@code FLOAT32}
     * @param k a multiple of {@link #step}
     * @throws IllegalArgumentException if sizes do not fit, or if too few elements are zero: it names the first place;
     *     {@link #prune} makes zeros
     */
    public static StructuredMatrix of(HostArray dense, int m, int k) {
        check(dense, m, k);
        DataType type = dense.type();
        HostArray values = HostArray.allocate(type, dense.count() / 2);
        int steps = k / step(type);
        int blocks = Math.ceilDiv(m, ROWS);
        HostArray metadata = HostArray.allocate(DataType.INT32, (long) blocks * steps * Warpgroup.THREADS);
        int width = width(type);
        int[] nibbles = new int[k / width];
        for (int row = 0; row < blocks * ROWS; row++) {
            for (int chunk = 0; chunk < nibbles.length; chunk++) {
                nibbles[chunk] = row < m ? compress(dense, values, row, k, chunk) : 0b0100;
            }
            for (int i = 0; i < nibbles.length; i++) {
                put(metadata, type, steps, row, i, nibbles[i]);
            }
        }
        return new StructuredMatrix(values, metadata);
    }

    /** Sets the smaller two of each four neighbours to zero, of {@code FLOAT32} the smaller one of each two. */
    public static void prune(HostArray dense, int m, int k) {
        check(dense, m, k);
        int width = width(dense.type());
        for (long first = 0; first < dense.count(); first += width) {
            for (int zeros = 0; zeros < width / 2; zeros++) {
                long least = -1;
                for (long i = first; i < first + width; i++) {
                    double size = Math.abs(read(dense, i));
                    if (size != 0 && (least < 0 || size < Math.abs(read(dense, least)))) {
                        least = i;
                    }
                }
                if (least >= 0 && nonzeros(dense, first, width) > width / 2) {
                    zero(dense, least);
                }
            }
        }
    }

    /** Summed indices of a thread's number: those of two products, of 8-bit types of one. */
    public static int step(DataType type) {
        return type == DataType.FLOAT32 ? 32 : 64;
    }

    /**
     * The place in {@code metadata} of thread {@code thread} of a warpgroup.
     *
     * @param block of 64 rows
     * @param steps of the matrix, its columns / {@link #step}
     */
    public static int index(int block, int steps, int step, int thread) {
        return (block * steps + step) * Warpgroup.THREADS + thread;
    }

    /** Neighbours of which half are zero. */
    private static int width(DataType type) {
        return type == DataType.FLOAT32 ? 2 : 4;
    }

    private static void check(HostArray dense, int m, int k) {
        if (!TYPES.contains(dense.type())) {
            throw new IllegalArgumentException("a StructuredMatrix is of one of " + TYPES + ", not of " + dense);
        }
        if (m < 1 || k < 1 || k % step(dense.type()) != 0 || dense.count() != (long) m * k) {
            throw new IllegalArgumentException("a StructuredMatrix of " + dense + " with " + m + " rows of " + k
                    + " columns: columns are a multiple of " + step(dense.type()) + ", and the product of both is the"
                    + " number of elements");
        }
    }

    /** Copies what is not zero of a few neighbours; returns where it was. */
    private static int compress(HostArray dense, HostArray values, int row, int k, int chunk) {
        int width = width(dense.type());
        long first = (long) row * k + (long) chunk * width;
        int count = nonzeros(dense, first, width);
        if (count > width / 2) {
            throw new IllegalArgumentException(
                    "a StructuredMatrix has " + width / 2 + " elements that are not zero among each " + width
                            + " neighbours, but there are " + count + " in row " + row + " from column " + chunk * width
                            + " on; StructuredMatrix.prune makes zeros");
        }
        long to = first / 2;
        if (width == 2) {
            int place = isZero(dense, first) ? 1 : 0;
            copy(dense, first + place, values, to);
            return place == 0 ? 0b0100 : 0b1110;
        }
        int from = 0;
        while (from < 2 && isZero(dense, first + from)) {
            from++;
        }
        int other = 3;
        while (other > from + 1 && isZero(dense, first + other)) {
            other--;
        }
        copy(dense, first + from, values, to);
        copy(dense, first + other, values, to + 1);
        return from | other << 2;
    }

    private static void put(HostArray metadata, DataType type, int steps, int row, int chunk, int nibble) {
        int inRow = chunk % (type.bytes() == 1 ? 8 : 4);
        int of = chunk / (type.bytes() == 1 ? 8 : 4);
        int lane = row % 8 * 4;
        int shift = 4 * inRow;
        int step;
        if (type.bytes() == 1) {
            // Two words of a quad's four have the upper row, two the lower one.
            lane += row / 8 % 2 + of % 2 * 2;
            step = of / 2;
        } else {
            // Half a word is of the upper row, half of the lower one.
            lane += of % 4;
            step = of / 4;
            shift += row / 8 % 2 * 16;
        }
        int thread = row / 16 % 4 * 32 + lane;
        int at = index(row / ROWS, steps, step, thread);
        metadata.setInt(at, metadata.getInt(at) | nibble << shift);
    }

    private static int nonzeros(HostArray dense, long first, int width) {
        int count = 0;
        for (int i = 0; i < width; i++) {
            count += isZero(dense, first + i) ? 0 : 1;
        }
        return count;
    }

    private static boolean isZero(HostArray array, long i) {
        return read(array, i) == 0;
    }

    private static double read(HostArray array, long i) {
        return switch (array.type()) {
            case FLOAT16 -> F16Ptr.of(array).get(i);
            case BFLOAT16 -> BF16Ptr.of(array).get(i);
            case FLOAT8_E4M3 -> F8E4M3Ptr.of(array).get(i);
            case FLOAT8_E5M2 -> F8E5M2Ptr.of(array).get(i);
            default -> array.getFloat(i);
        };
    }

    private static void zero(HostArray array, long i) {
        int bytes = array.type().bytes();
        array.segment().asSlice(i * bytes, bytes).fill((byte) 0);
    }

    private static void copy(HostArray from, long i, HostArray to, long j) {
        int bytes = from.type().bytes();
        MemorySegment.copy(from.segment(), i * bytes, to.segment(), j * bytes, bytes);
    }
}
