// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * Ranks called different operations, or one operation with different counts, types, roots or reductions. Found in
 * checked mode, and always by the embedded engine.
 */
public class CollectiveMismatchException extends CommException {
    private static final long serialVersionUID = 1L;

    public CollectiveMismatchException(String message) {
        super(message);
    }
}
