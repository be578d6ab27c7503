// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Java classes of CUDA headers' device functions, for kernels: what {@code comm4j bind} writes. */
package org.comm4j.bind;
