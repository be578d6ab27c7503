// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.poststack;

import org.comm4j.apps.InversionSettings;

/**
 * What is known of the model of a post-stack inversion: that it is smooth, or that it has blocks.
 *
 * @param laplacian weight of the model's Laplacian in least squares, 0 for none
 * @param variation weight of the model's total variation, 0 for none
 * @param method solver with total variation
 */
public record Regularization(double laplacian, double variation, Method method) {
    /** Solvers of a misfit with total variation. */
    public enum Method {
        /** {@link org.comm4j.operator.solver.AdmmL2}. */
        ADMM,
        /** {@link org.comm4j.operator.solver.PrimalDual}. */
        PRIMAL_DUAL
    }

    /** Checks the weights. */
    public Regularization {
        InversionSettings.atLeastZero("--laplacian", laplacian);
        InversionSettings.atLeastZero("--tv", variation);
        if (laplacian > 0 && variation > 0) {
            throw new IllegalArgumentException("--laplacian and --tv: one or the other");
        }
    }

    /** Returns a smooth model by least squares. */
    public static Regularization smooth(double laplacian) {
        return new Regularization(laplacian, 0, Method.PRIMAL_DUAL);
    }

    /** Returns whether the total variation has a weight. */
    public boolean isVariation() {
        return variation > 0;
    }
}
