// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.handle;

/**
 * {@code CUgraphExec}: a pointer that only the CUDA library looks behind.
 *
 * @param address what C has in the pointer
 */
public record CUgraphExec(long address) {
    /** C's {@code NULL}. */
    public static final CUgraphExec NULL = new CUgraphExec(0);

    public boolean isNull() {
        return address == 0;
    }
}
