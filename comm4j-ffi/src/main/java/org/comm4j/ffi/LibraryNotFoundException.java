// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

/**
 * A native library is not on this machine, or cannot be loaded; the message lists every place where it was looked for.
 */
public final class LibraryNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final LibraryName library;

    LibraryNotFoundException(LibraryName library, String message) {
        super(message);
        this.library = library;
    }

    /** The library that is missing. */
    public LibraryName library() {
        return library;
    }
}
