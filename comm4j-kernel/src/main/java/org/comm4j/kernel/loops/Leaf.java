// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import org.jspecify.annotations.Nullable;

/** A part of a value that is no struct: a number, or a pointer whose memory is known. */
sealed interface Leaf {
    record Plain(Val value) implements Leaf {}

    /**
     * A place in memory.
     *
     * @param bytes from the beginning of the memory, a long
     * @param index the same in elements of {@code scale} bytes, an int; null if it is not known to be that
     * @param which the number of the memory where it is one of several, as {@link LoopState#memory(int)} has it
     */
    record Pointer(
            Room room,
            Val bytes,
            @Nullable Val index,
            int scale,
            @Nullable Val which) implements Leaf {
        Pointer(Room room, Val bytes, @Nullable Val index, int scale) {
            this(room, bytes, index, scale, null);
        }

        /** Elsewhere in the same memory. */
        Pointer at(Val other) {
            return new Pointer(room, other, null, 0, which);
        }
    }
}
