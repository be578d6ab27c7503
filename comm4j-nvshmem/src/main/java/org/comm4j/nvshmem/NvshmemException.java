// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.CommException;
import org.comm4j.ffi.NativeCallException;

/**
 * NVSHMEM reported an error. It writes the reason to the standard error; the message names the operation, the PE and
 * the sizes.
 */
public class NvshmemException extends CommException {
    private static final long serialVersionUID = 1L;

    /** {@link #status} where the library gave none. */
    public static final int NO_STATUS = -1;

    private final int status;

    NvshmemException(String message) {
        super(message);
        this.status = NO_STATUS;
    }

    NvshmemException(String what, NativeCallException cause) {
        super(what + ": " + cause.getMessage(), cause);
        this.status = cause.status();
    }

    /** Returns the {@code nvshmemx_status}, as a number, or {@link #NO_STATUS}. */
    public int status() {
        return status;
    }
}
