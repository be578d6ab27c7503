// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.compiler;

/**
 * {@code nvJitLinkHandle}: a pointer that only the nvJitLink library looks behind.
 *
 * @param address what C has in the pointer
 */
public record NvJitLinkHandle(long address) {
    /** C's {@code NULL}. */
    public static final NvJitLinkHandle NULL = new NvJitLinkHandle(0);

    public boolean isNull() {
        return address == 0;
    }
}
