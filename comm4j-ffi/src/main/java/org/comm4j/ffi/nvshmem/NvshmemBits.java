// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.nvshmem;

import org.comm4j.ffi.NativeFamily;

/** The sizes of elements, in bits, in the names of functions of NVSHMEM that move such without a type; generated. */
public enum NvshmemBits implements NativeFamily.Member {
    BITS_8("8"),
    BITS_16("16"),
    BITS_32("32"),
    BITS_64("64"),
    BITS_128("128");

    private final String word;

    NvshmemBits(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
