// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

/** The scaling of a Fourier transform of n elements, as PyLops has it. The adjoint has the same scaling. */
public enum FourierNorm {
    /** By 1/√n: the transform is unitary. */
    ORTHO,
    /** None: the inverse is the adjoint by n. */
    NONE,
    /** By 1/n: the inverse is the adjoint times n. */
    ONE_OVER_N;

    /** Returns the factor of the transform and of its adjoint. */
    double factor(double n) {
        return switch (this) {
            case ORTHO -> 1 / Math.sqrt(n);
            case NONE -> 1;
            case ONE_OVER_N -> 1 / n;
        };
    }

    /** Returns the factor that makes the adjoint the inverse. */
    double inverse(double n) {
        return switch (this) {
            case ORTHO -> 1;
            case NONE -> 1 / n;
            case ONE_OVER_N -> n;
        };
    }
}
