// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/** Dispatch and combine of mixture-of-experts layers, beside bare kernels that move the same bytes. */
package org.comm4j.bench.moe;
