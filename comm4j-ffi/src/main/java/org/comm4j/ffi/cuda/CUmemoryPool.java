// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

/** {@code CUmemoryPool}: a pointer that only CUDA driver looks behind. */
public record CUmemoryPool(long address) {
    /** C's {@code NULL}. */
    public static final CUmemoryPool NULL = new CUmemoryPool(0);

    public boolean isNull() {
        return address == 0;
    }
}
