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
     */
    record Pointer(Room room, Val bytes, @Nullable Val index, int scale) implements Leaf {}
}
