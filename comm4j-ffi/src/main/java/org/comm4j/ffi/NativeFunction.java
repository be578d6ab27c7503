// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.MemorySegment;

/**
 * A C function of a library, which may be missing there.
 *
 * @param library where it is looked for
 * @param name in C
 * @param since version of the library that brought it, or empty if all known ones have it
 * @param symbol its address, or {@link MemorySegment#NULL}
 */
public record NativeFunction(NativeLibrary library, String name, String since, MemorySegment symbol) {
    public boolean isPresent() {
        return symbol.address() != 0;
    }

    /**
     * The address.
     *
     * @throws LibraryNotFoundException if the library was not found
     * @throws UnsupportedOperationException if the library is there and too old
     */
    public MemorySegment address() {
        if (symbol.address() == 0) {
            throw library.lacks(this);
        }
        return symbol;
    }
}
