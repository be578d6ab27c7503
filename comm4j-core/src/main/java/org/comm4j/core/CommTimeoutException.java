// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/** A wait took longer than its timeout. The message says which rank waited for what, and for whom. */
public class CommTimeoutException extends CommException {
    private static final long serialVersionUID = 1L;

    public CommTimeoutException(String message) {
        super(message);
    }
}
