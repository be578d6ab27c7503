// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Layout;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;

/**
 * The sum σ (ρ |x|₁ + (1 − ρ) |x|₂₁) over a stack (PyProximal {@code L21_plus_L1}); its map is that of the 1-norm and
 * then that of the 2-norms.
 */
public final class L21PlusL1 extends Proximal {
    private final Proximal both;

    private L21PlusL1(Layout layout, double sigma, double rho) {
        if (!(rho >= 0 && rho <= 1)) {
            throw new IllegalArgumentException("L21PlusL1: rho " + rho + " is not between 0 and 1");
        }
        both = L1.of(sigma * rho).then(L21.of(layout, sigma * (1 - rho)));
    }

    /**
     * Returns the function.
     *
     * @param layout of a stack of up to four arrays with equal layouts
     * @param rho share of the 1-norm, from 0 to 1
     */
    public static L21PlusL1 of(Layout layout, double sigma, double rho) {
        nonNull(layout, "L21PlusL1.of", "layout");
        return new L21PlusL1(layout, sigma, rho);
    }

    @Override
    public double value(Vector x) {
        return both.value(x);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        return both.prepare(update, tau);
    }
}
