// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/** A rank died, or left, while another one needed it. */
public class RankFailedException extends CommException {
    private static final long serialVersionUID = 1L;

    private final int failedRank;

    /** @param failedRank the rank of the world that is gone */
    public RankFailedException(int failedRank, String message) {
        super(message);
        this.failedRank = failedRank;
    }

    /** Returns the rank of the world that is gone. */
    public int failedRank() {
        return failedRank;
    }
}
