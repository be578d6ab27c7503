// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.handle;

/**
 * {@code CUuserObject}: a pointer that only the CUDA library looks behind.
 *
 * @param address what C has in the pointer
 */
public record CUuserObject(long address) {
    /** C's {@code NULL}. */
    public static final CUuserObject NULL = new CUuserObject(0);

    public boolean isNull() {
        return address == 0;
    }
}
