// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Functions with proximal maps (PyProximal): prox_τf(x) minimises f(v) + |v − x|² / (2 τ) over v. Solvers of sums of
 * such functions are in {@link org.comm4j.operator.solver}.
 */
package org.comm4j.operator.proximal;
