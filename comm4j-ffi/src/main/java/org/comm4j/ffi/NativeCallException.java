// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import org.jspecify.annotations.Nullable;

/** A function of a native library said that it failed. */
public final class NativeCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String function;
    private final int status;
    private final String statusName;

    /**
     * @param status as the function returned it
     * @param statusName its name in C
     * @param words what the library says about it, or null if it says nothing
     */
    public NativeCallException(
            NativeLibrary library, String function, int status, String statusName, @Nullable String words) {
        super(function + " failed: " + (words == null || words.isBlank() ? "" : words + " ") + "(" + statusName + " = "
                + status + "), " + library);
        this.function = function;
        this.status = status;
        this.statusName = statusName;
    }

    /** The C function. */
    public String function() {
        return function;
    }

    /** The status that it returned. */
    public int status() {
        return status;
    }

    /** The status' name in C. */
    public String statusName() {
        return statusName;
    }
}
