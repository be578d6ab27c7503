// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

/**
 * What the history of a solver's costs is of, and what it is divided by.
 *
 * @param divisor of the costs
 * @param measure what they are then, in a few words
 */
public record History(double divisor, String measure) {
    /**
     * Returns that of residuals, of which that of zeros is 1.
     *
     * @throws IllegalArgumentException if the data are zero
     */
    public static History ofResiduals(double dataNorm) {
        return new History(checked(dataNorm), "residual by data");
    }

    /**
     * Returns that of squared residuals with the 1-norm of the model, of which that of zeros is 1.
     *
     * @throws IllegalArgumentException if the data are zero
     */
    public static History ofObjectives(double dataNorm) {
        return new History(0.5 * checked(dataNorm) * dataNorm, "objective by that of zeros");
    }

    /**
     * Returns that of changes of the model, which are divided by the model already.
     *
     * @throws IllegalArgumentException if the data are zero
     */
    public static History ofChanges(double dataNorm) {
        checked(dataNorm);
        return new History(1, "change by model");
    }

    private static double checked(double dataNorm) {
        if (!(dataNorm > 0)) {
            throw new IllegalArgumentException("the data are zero: the model has no reflectors in it");
        }
        return dataNorm;
    }
}
