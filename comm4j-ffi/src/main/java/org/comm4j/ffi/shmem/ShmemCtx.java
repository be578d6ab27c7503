// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.shmem;

/**
 * {@code shmem_ctx_t}: a pointer that only the OpenSHMEM library looks behind.
 *
 * @param address what C has in the pointer
 */
public record ShmemCtx(long address) {
    /** C's {@code NULL}. */
    public static final ShmemCtx NULL = new ShmemCtx(0);

    public boolean isNull() {
        return address == 0;
    }
}
