// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;

/**
 * Loads and stores of memory. They are methods of more than 35 bytes, which HotSpot's first compiler does not inline:
 * with the JDK's code for each access in it, it gave up a loop with thirty of them, which was interpreted for seconds.
 * The interpreter calls these compiled. The second compiler inlines them, and the width is a constant then; but not
 * where they have been compiled to more than 2500 bytes ({@code InlineSmallCode}), as with all four widths in one
 * method: from a process' second kernel on, a sum of squares took 25 ms instead of 3.
 */
final class MemoryAccess {
    private MemoryAccess() {}

    /** Returns the name of a method for elements of so many bytes: {@code name} or {@code nameNarrow}. */
    static String named(String name, long bytes) {
        return bytes < Integer.BYTES ? name + "Narrow" : name;
    }

    /** Returns the bits of an element of 4 or 8 bytes, extended by its sign. */
    static long load(MemorySegment memory, long at, int bytes) {
        return switch (bytes) {
            case 4 -> memory.get(LoopState.OF_I32, at);
            default -> memory.get(LoopState.OF_I64, at);
        };
    }

    /** Returns the bits of an element of 1 or 2 bytes, extended by its sign. */
    static long loadNarrow(MemorySegment memory, long at, int bytes) {
        return switch (bytes) {
            case 2 -> memory.get(LoopState.OF_I16, at);
            default -> memory.get(LoopState.OF_I8, at);
        };
    }

    /** Writes an element of 4 or 8 bytes, the lowest of some bits. */
    static void store(MemorySegment memory, long at, long bits, int bytes) {
        switch (bytes) {
            case 4 -> memory.set(LoopState.OF_I32, at, (int) bits);
            default -> memory.set(LoopState.OF_I64, at, bits);
        }
    }

    /** Writes an element of 1 or 2 bytes, the lowest of some bits. */
    static void storeNarrow(MemorySegment memory, long at, long bits, int bytes) {
        switch (bytes) {
            case 2 -> memory.set(LoopState.OF_I16, at, (short) bits);
            default -> memory.set(LoopState.OF_I8, at, (byte) bits);
        }
    }
}
