// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * How pieces of 16 bytes are permuted within rows of shared memory, so that the rows of a column are in different banks
 * ({@code CUtensorMapSwizzle}). Bits 4 and up of an address are combined with bits 7 and up by exclusive or.
 */
public enum Swizzle {
    /** Nothing is permuted. */
    NONE(0),
    /** Within 32 bytes. */
    B32(32),
    /** Within 64 bytes. */
    B64(64),
    /** Within 128 bytes; the layout that {@link Wgmma} reads. */
    B128(128);

    private final int bytes;

    Swizzle(int bytes) {
        this.bytes = bytes;
    }

    /** The longest row in bytes; 0 for any. */
    public int bytes() {
        return bytes;
    }

    /** Where the byte of an address is. */
    long place(long address) {
        return bytes == 0 ? address : address ^ (address >>> 7 & bytes / 16 - 1) << 4;
    }
}
