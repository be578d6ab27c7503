// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

/** A call of the operating system failed. */
public final class OperatingSystemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int error;

    OperatingSystemException(String call, int error, String words) {
        super(call + " failed: " + words + " (errno " + error + ")");
        this.error = error;
    }

    /** The system's error number ({@code errno}). */
    public int error() {
        return error;
    }
}
