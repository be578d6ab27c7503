// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.compiler;

/**
 * {@code nvrtcProgram}: a pointer that only the NVRTC library looks behind.
 *
 * @param address what C has in the pointer
 */
public record NvrtcProgram(long address) {
    /** C's {@code NULL}. */
    public static final NvrtcProgram NULL = new NvrtcProgram(0);

    public boolean isNull() {
        return address == 0;
    }
}
