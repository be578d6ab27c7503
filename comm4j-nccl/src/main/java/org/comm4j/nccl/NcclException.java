// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.CommException;
import org.comm4j.ffi.NativeCallException;

/**
 * NCCL reported an error. The message names the operation, the rank and the sizes, and repeats what NCCL itself says,
 * with its version and file.
 */
public class NcclException extends CommException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String statusName;

    NcclException(String message, int status, String statusName) {
        super(message);
        this.status = status;
        this.statusName = statusName;
    }

    NcclException(String what, NativeCallException cause) {
        super(what + ": " + cause.getMessage(), cause);
        this.status = cause.status();
        this.statusName = cause.statusName();
    }

    /** Returns the {@code ncclResult_t}, as a number. */
    public int status() {
        return status;
    }

    /**
     * Returns the name of {@link #status()}, such as {@code ncclRemoteError}; a number if this library does not know
     * it.
     */
    public String statusName() {
        return statusName;
    }
}
