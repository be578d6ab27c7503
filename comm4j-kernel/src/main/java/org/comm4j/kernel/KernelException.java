// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import org.comm4j.core.CommException;

/**
 * A kernel has failed while it ran: a thread has thrown something, threads wait for others that never come, a race was
 * found, or the time is over. The message names the kernel, the block, the thread and the line; what a thread threw is
 * the cause. What the kernel has written until then stays written.
 */
public final class KernelException extends CommException {
    private static final long serialVersionUID = 1L;

    public KernelException(String message) {
        super(message);
    }

    public KernelException(String message, Throwable cause) {
        super(message, cause);
    }
}
