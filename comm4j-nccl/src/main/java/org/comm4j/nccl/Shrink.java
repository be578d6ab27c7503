// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.ffi.nccl.LibNccl;

/** How {@link NcclCommunicator#shrink} treats what is under way. */
public enum Shrink {
    /** All is well: operations under way are left to end ({@code NCCL_SHRINK_DEFAULT}). */
    DEFAULT(LibNccl.NCCL_SHRINK_DEFAULT),
    /** After a failure: operations under way are ended first ({@code NCCL_SHRINK_ABORT}). */
    ABORT(LibNccl.NCCL_SHRINK_ABORT);

    private final int flags;

    Shrink(int flags) {
        this.flags = flags;
    }

    int flags() {
        return flags;
    }
}
