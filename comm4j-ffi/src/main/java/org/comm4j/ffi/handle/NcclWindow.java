// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.handle;

/**
 * {@code ncclWindow_t}: a pointer that only the NCCL library looks behind.
 *
 * @param address what C has in the pointer
 */
public record NcclWindow(long address) {
    /** C's {@code NULL}. */
    public static final NcclWindow NULL = new NcclWindow(0);

    public boolean isNull() {
        return address == 0;
    }
}
