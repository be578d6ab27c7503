// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The language of kernels: indices of threads, pointers, shared memory, atomics, warp operations, tensor cores. A file
 * with kernels imports this package; {@link org.comm4j.kernel} has the compiler and what launches kernels.
 */
package org.comm4j.kernel.lang;
