// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.time.Duration;

/** An operation under way, as the {@code …Async} methods of {@link Communicator} return it. */
public interface Request {

    /** Returns whether the operation ended, well or not. */
    boolean isDone();

    /**
     * Waits for the end of the operation; its buffers may be used again afterwards.
     *
     * @throws CommException if the operation failed; what it threw, thrown again
     */
    void await();

    /**
     * Like {@link #await()} with a limit. The operation goes on when the limit is reached.
     *
     * @throws CommTimeoutException if the operation has not ended after {@code timeout}
     */
    void await(Duration timeout);
}
