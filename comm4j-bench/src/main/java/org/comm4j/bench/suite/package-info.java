// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Kernels of problems that published suites have, in Java beside the same kernels in CUDA C++. */
package org.comm4j.bench.suite;
