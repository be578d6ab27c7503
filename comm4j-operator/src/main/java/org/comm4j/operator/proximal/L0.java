// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.kernel.lang.F64Ptr;

/**
 * The number of elements that are not 0, times σ. Its map sets |x| ≤ sqrt(2 τ σ) to 0, which is the minimiser;
 * PyProximal's {@code L0} takes τ σ, which {@link #plain} does.
 */
public final class L0 extends Separable {
    private static final Form FORM = new Form(true, false, L0::map, L0::value);
    private static final Form PLAIN = new Form(true, false, L0::plainMap, L0::value);

    private L0(Form form, double sigma) {
        super(form, checked("L0: sigma", sigma));
    }

    /** Returns σ times the number of elements that are not 0. */
    public static L0 of(double sigma) {
        return new L0(FORM, sigma);
    }

    /** Returns the function with a map whose threshold is τ σ itself. */
    public static L0 plain(double sigma) {
        return new L0(PLAIN, sigma);
    }

    private static double map(double modulus, double tau, F64Ptr sigma) {
        return modulus > Math.sqrt(2 * tau * sigma.get(0)) ? modulus : 0 * modulus;
    }

    private static double plainMap(double modulus, double tau, F64Ptr sigma) {
        return modulus > tau * sigma.get(0) ? modulus : 0 * modulus;
    }

    private static double value(double modulus, double tau, F64Ptr sigma) {
        return modulus == 0 ? 0 : sigma.get(0);
    }
}
