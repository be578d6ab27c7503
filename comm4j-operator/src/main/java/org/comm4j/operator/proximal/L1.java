// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.kernel.lang.F64Ptr;

/**
 * The 1-norm σ Σ |x| (PyProximal {@code L1}); its map is the soft threshold τ σ. Complex elements keep their argument.
 */
public final class L1 extends Separable {
    private static final Form FORM = new Form(true, false, L1::map, (modulus, _, sigma) -> sigma.get(0) * modulus);

    private L1(double sigma) {
        super(FORM, checked("L1: sigma", sigma));
    }

    /** Returns σ Σ |x|. */
    public static L1 of(double sigma) {
        return new L1(sigma);
    }

    static double map(double modulus, double tau, F64Ptr sigma) {
        double threshold = tau * sigma.get(0);
        return modulus > threshold ? modulus - threshold : 0 * modulus;
    }
}
