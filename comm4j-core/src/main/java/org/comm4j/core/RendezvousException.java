// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * The world could not be formed: a rank is missing, late or there twice, presented a wrong token, disagrees about the
 * number of ranks, or the variables that say who it is contradict each other. The message says which, and what to do.
 */
public class RendezvousException extends CommException {
    private static final long serialVersionUID = 1L;

    public RendezvousException(String message) {
        super(message);
    }

    public RendezvousException(String message, Throwable cause) {
        super(message, cause);
    }
}
