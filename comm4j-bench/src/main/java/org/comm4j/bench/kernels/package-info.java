// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Kernels in Java beside the same kernels in CUDA C++. */
package org.comm4j.bench.kernels;
