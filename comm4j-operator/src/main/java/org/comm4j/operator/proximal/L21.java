// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Layout;
import org.comm4j.array.Vector;

/**
 * The sum of 2-norms over the arrays of a stack, σ Σ_j sqrt(Σ_k |x_k[j]|²) (PyProximal {@code L21}): with a gradient as
 * operator it is isotropic total variation.
 */
public final class L21 extends Separable {
    private static final Form FORM = new Form(true, true, L1::map, (norm, _, sigma) -> sigma.get(0) * norm);

    private final Layout layout;

    private L21(Layout layout, double sigma) {
        super(FORM, checked("L21: sigma", sigma));
        this.layout = layout;
    }

    /**
     * Returns the function.
     *
     * @param layout of a stack of up to four arrays with equal layouts
     */
    public static L21 of(Layout layout, double sigma) {
        nonNull(layout, "L21.of", "layout");
        return new L21(layout, sigma);
    }

    @Override
    void check(Vector x) {
        if (!x.layout().equals(layout)) {
            throw new IllegalArgumentException("L21: " + x + " must have the layout " + layout);
        }
    }
}
