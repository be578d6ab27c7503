// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * The Parallel Research Kernels over OpenSHMEM: parameters, formulas, verification and output of the reference's
 * programs.
 */
package org.comm4j.bench.prk;
