// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.compiler;

/**
 * {@code nvvmProgram}: a pointer that only the libNVVM library looks behind.
 *
 * @param address what C has in the pointer
 */
public record NvvmProgram(long address) {
    /** C's {@code NULL}. */
    public static final NvvmProgram NULL = new NvvmProgram(0);

    public boolean isNull() {
        return address == 0;
    }
}
