// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cublas;

/**
 * {@code cublasLtMatmulDesc_t}: a pointer that only the cuBLAS library looks behind.
 *
 * @param address what C has in the pointer
 */
public record CublasLtMatmulDesc(long address) {
    /** C's {@code NULL}. */
    public static final CublasLtMatmulDesc NULL = new CublasLtMatmulDesc(0);

    public boolean isNull() {
        return address == 0;
    }
}
