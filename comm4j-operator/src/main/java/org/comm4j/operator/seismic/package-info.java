// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

/**
 * Modelling operators of seismic inversion: post-stack and pre-stack amplitudes, Kirchhoff migration,
 * multi-dimensional convolution, and the wavelets that they take.
 */
package org.comm4j.operator.seismic;
