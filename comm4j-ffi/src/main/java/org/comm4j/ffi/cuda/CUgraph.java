// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

/** {@code CUgraph}: a pointer that only CUDA driver looks behind. */
public record CUgraph(long address) {
    /** C's {@code NULL}. */
    public static final CUgraph NULL = new CUgraph(0);

    public boolean isNull() {
        return address == 0;
    }
}
