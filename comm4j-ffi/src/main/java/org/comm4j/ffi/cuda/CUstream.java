// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

/** {@code CUstream}: a pointer that only CUDA driver looks behind. */
public record CUstream(long address) {
    /** C's {@code NULL}. */
    public static final CUstream NULL = new CUstream(0);

    public boolean isNull() {
        return address == 0;
    }
}
