// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;
import org.comm4j.math.Complex;

/**
 * An eigenvalue of the largest modulus and its vector, as {@link LinearOperator#eigs} finds them.
 *
 * @param value the eigenvalue, equal on every rank
 * @param vector its vector, of norm 1, which is the caller's to close
 * @param iterations that were made
 */
public record Eigenpair(Complex value, Vector vector, int iterations) {}
