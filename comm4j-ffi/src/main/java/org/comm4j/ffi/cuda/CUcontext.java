// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

/** {@code CUcontext}: a pointer that only CUDA driver looks behind. */
public record CUcontext(long address) {
    /** C's {@code NULL}. */
    public static final CUcontext NULL = new CUcontext(0);

    public boolean isNull() {
        return address == 0;
    }
}
