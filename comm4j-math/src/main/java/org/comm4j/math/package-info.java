// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Computation of one rank, on processors or a GPU. {@link org.comm4j.math.Compute} has vector algebra, reductions,
 * stencils and sweeps; {@link org.comm4j.math.Blas} matrix products; {@link org.comm4j.math.Fft} Fourier transforms;
 * {@link org.comm4j.math.Philox} random numbers. Arrays and operators are made of these; none of them communicates.
 */
package org.comm4j.math;
