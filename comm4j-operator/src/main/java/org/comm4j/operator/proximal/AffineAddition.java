// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;

/** x ↦ f(x) + the real part of vᴴ x. Its map is that of f at x − τ v. */
final class AffineAddition extends Proximal {
    private static final Calculation BACK = AffineAddition::back;

    private final Proximal f;
    private final Vector linear;

    AffineAddition(Proximal f, Vector linear) {
        this.f = f;
        this.linear = linear;
    }

    private static void back(F64Ptr numbers, F64Ptr tau, F64Ptr none) {
        numbers.set(0, -tau.get(0));
    }

    @Override
    public double value(Vector x) {
        return f.value(x) + linear.vdot(x).real();
    }

    @Override
    public Vector grad(Vector x, Vector result) {
        return f.grad(x, result).axpy(Coefficient.ONE, linear);
    }

    @Override
    public Step prepareGrad(Vector x, Vector result) {
        Step inner = f.prepareGrad(x, result);
        Pointwise add =
                Pointwise.of(Coefficient.ONE, result, Coefficient.ONE, linear).into(result);
        return new Step(() -> {
                    inner.run();
                    add.run();
                })
                .with(inner);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        Steps steps = new Steps(u.backend(), 1, BACK, tau);
        Step map =
                f.prepare(Pointwise.of(Coefficient.ONE, u, steps.get(0), linear).into(v), tau);
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    map.run();
                },
                v);
        return new Step(all, u, v).with(map);
    }

    @Override
    public String toString() {
        return f + " + vᴴ x";
    }
}
