// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** How a matrix enters a product: {@code CBLAS_TRANSPOSE}. */
public enum Transpose {
    /** As it is stored. */
    NONE,
    /** Rows as columns. */
    TRANSPOSE,
    /** Rows as columns, with complex numbers conjugated. */
    CONJUGATE
}
