// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.kernel.lang.F64Ptr;

/** The penalty σ / log(γ + 1) Σ log(γ |x| + 1), which is not convex (PyProximal {@code Log}). */
public final class Log extends Separable {
    private static final Form FORM = new Form(true, false, Log::map, Log::value);

    private Log(double sigma, double gamma) {
        super(FORM, checked("Log: sigma", sigma), gamma);
    }

    /**
     * Returns the function.
     *
     * @param gamma above 0: the larger, the nearer to the number of elements that are not 0
     */
    public static Log of(double sigma, double gamma) {
        if (!(gamma > 0) || Double.isInfinite(gamma)) {
            throw new IllegalArgumentException("Log: gamma " + gamma + " is not a finite number above 0");
        }
        return new Log(sigma, gamma);
    }

    private static double value(double modulus, double tau, F64Ptr parameters) {
        double gamma = parameters.get(1);
        return parameters.get(0) / Math.log(gamma + 1) * Math.log(gamma * modulus + 1);
    }

    private static double map(double modulus, double tau, F64Ptr parameters) {
        double gamma = parameters.get(1);
        double k = tau * parameters.get(0) / Math.log(gamma + 1);
        double b = gamma * modulus - 1;
        double discriminant = b * b - 4 * gamma * (k * gamma - modulus);
        // The larger root of the derivative is the only minimum besides 0.
        double root = discriminant >= 0 ? (b + Math.sqrt(discriminant)) / (2 * gamma) : 0 * discriminant;
        double there = tau * value(root, tau, parameters) + (root - modulus) * (root - modulus) / 2;
        return root > 0 && there < modulus * modulus / 2 ? root : 0 * discriminant;
    }
}
