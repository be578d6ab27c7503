// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cublas;

/**
 * {@code cublasLtMatmulPreference_t}: a pointer that only the cuBLAS library looks behind.
 *
 * @param address what C has in the pointer
 */
public record CublasLtMatmulPreference(long address) {
    /** C's {@code NULL}. */
    public static final CublasLtMatmulPreference NULL = new CublasLtMatmulPreference(0);

    public boolean isNull() {
        return address == 0;
    }
}
