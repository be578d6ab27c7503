// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/** The memory that ranks share is exhausted or could not be set up. */
public class SymmetricMemoryException extends CommException {
    private static final long serialVersionUID = 1L;

    public SymmetricMemoryException(String message) {
        super(message);
    }
}
