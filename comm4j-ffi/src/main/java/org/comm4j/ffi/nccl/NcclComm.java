// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nccl;

/** {@code ncclComm_t}: a pointer that only NCCL looks behind. */
public record NcclComm(long address) {
    /** C's {@code NULL}. */
    public static final NcclComm NULL = new NcclComm(0);

    public boolean isNull() {
        return address == 0;
    }
}
