// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.handle;

/**
 * {@code ncclDevCommWindowTable_t}: a pointer that only the NCCL library looks behind.
 *
 * @param address what C has in the pointer
 */
public record NcclDevCommWindowTable(long address) {
    /** C's {@code NULL}. */
    public static final NcclDevCommWindowTable NULL = new NcclDevCommWindowTable(0);

    public boolean isNull() {
        return address == 0;
    }
}
