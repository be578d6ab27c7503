// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * Something went wrong while communicating: the base of all run-time failures of this library. Calls that are wrong in
 * themselves (a null buffer, a root out of range, a closed communicator) are reported before anything is sent, by the
 * JDK's own {@link IllegalArgumentException}, {@link IndexOutOfBoundsException}, {@link NullPointerException} and
 * {@link IllegalStateException}.
 */
public class CommException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommException(String message) {
        super(message);
    }

    public CommException(String message, Throwable cause) {
        super(message, cause);
    }
}
