// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * A matrix in shared memory as tensor cores read it: rows of 128 bytes that are swizzled ({@link Swizzle#B128}), eight
 * of them a unit of 1024 bytes ({@code matrix descriptor} of {@code wgmma}). {@link TensorCopy} writes this layout.
 *
 * @param place of the first row, at a multiple of 1024 bytes but for {@link #plus}
 * @param layout the descriptor without its address
 */
public record SharedMatrix(I8Ptr place, long layout) {
    private static final long SWIZZLE_128 = 1L << 62;
    /** 1024 bytes from unit to unit, in pieces of 16. */
    private static final long UNITS = 64L << 32;

    /**
     * A matrix whose rows, of A, or columns, of B, are rows of shared memory, 128 bytes each: the summed index is the
     * contiguous one ("K-major").
     */
    public static SharedMatrix of(I8Ptr place) {
        return new SharedMatrix(place, SWIZZLE_128 | UNITS | 1L << 16);
    }

    /**
     * A matrix of elements of 16 bits that is stored the other way round: each row of shared memory has 64 rows of A,
     * or columns of B, of one summed index ("MN-major").
     *
     * @param bytes from the first 64 rows or columns to the next ones; 1024 for each 8 summed indices of a box
     */
    public static SharedMatrix transposed(I8Ptr place, int bytes) {
        return new SharedMatrix(place, SWIZZLE_128 | UNITS | (long) (bytes >> 4) << 16);
    }

    /** The matrix that begins {@code bytes} further, as in the next summed indices. */
    public SharedMatrix plus(int bytes) {
        return new SharedMatrix(place.plus(bytes), layout);
    }

    /** On the CPU, bytes between units of 64 rows or columns. */
    private int leading() {
        return (int) (layout >>> 16 & 0x3fff) << 4;
    }

    /** On the CPU, where an element is, in bytes from the beginning of the segment. */
    long offset(int row, int inner, int elementBytes, boolean transposed) {
        long from = transposed
                ? (long) (row / 64) * leading() + inner / 8 * 1024L + inner % 8 * 128L + row % 64 * (long) elementBytes
                : row / 8 * 1024L + row % 8 * 128L + inner * (long) elementBytes;
        long base = place.segment.address();
        return Swizzle.B128.place(base + place.offset + from) - base;
    }
}
