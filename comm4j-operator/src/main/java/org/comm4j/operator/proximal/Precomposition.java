// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.jspecify.annotations.Nullable;

/** x ↦ σ f(a x + b), where b is a number or a vector. */
final class Precomposition extends Proximal {
    private static final Calculation NUMBERS = Precomposition::numbers;

    private final Proximal f;
    private final double a;
    private final double b;
    private final @Nullable Vector vector;
    private final double sigma;

    Precomposition(Proximal f, double a, double b) {
        this(f, a, b, null, 1);
    }

    Precomposition(Proximal f, double a, Vector b) {
        this(f, a, 0, b, 1);
    }

    Precomposition(Proximal f, double a, double b, double sigma) {
        this(f, a, b, null, sigma);
    }

    private Precomposition(Proximal f, double a, double b, @Nullable Vector vector, double sigma) {
        if (a == 0 || !Double.isFinite(a) || !Double.isFinite(b) || !(sigma > 0) || Double.isInfinite(sigma)) {
            throw new IllegalArgumentException(
                    f + " of a x + b, times sigma: a = " + a + " must not be 0, sigma = " + sigma + " above 0");
        }
        this.f = f;
        this.a = a;
        this.b = b;
        this.vector = vector;
        this.sigma = sigma;
    }

    private static void numbers(F64Ptr numbers, F64Ptr tau, F64Ptr parameters) {
        numbers.set(0, parameters.get(0) * tau.get(0));
    }

    /** Returns a new vector, b. */
    private Vector shift(Vector x) {
        Vector known = vector;
        if (known == null) {
            return x.like().fill(Coefficient.of(b));
        }
        if (!known.layout().equals(x.layout())) {
            throw new IllegalArgumentException(this + ": " + x + " must have the layout of b, " + known);
        }
        return x.like().assign(known);
    }

    @Override
    public double value(Vector x) {
        try (Vector inner = shift(x)) {
            inner.axpy(a, x);
            return sigma * f.value(inner);
        }
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector x = update.vector();
        Vector u = x.like();
        Vector v = x.like();
        Vector shift = shift(x);
        Steps steps = new Steps(x.backend(), 1, NUMBERS, tau, a * a * sigma);
        Step map = f.prepare(
                Pointwise.of(Coefficient.of(a), u, Coefficient.ONE, shift).into(v), steps.get(0));
        Pointwise back = Pointwise.of(Coefficient.of(1 / a), v, Coefficient.of(-1 / a), shift)
                .into(v);
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    map.run();
                    back.run();
                },
                v);
        return new Step(all, u, v, shift).with(map);
    }

    @Override
    public Vector grad(Vector x, Vector result) {
        try (Step step = prepareGrad(x, result)) {
            step.run();
        }
        return result;
    }

    @Override
    public Step prepareGrad(Vector x, Vector result) {
        Vector inner = x.like();
        Vector shift = shift(x);
        Pointwise before =
                Pointwise.of(Coefficient.of(a), x, Coefficient.ONE, shift).into(inner);
        Step slope = f.prepareGrad(inner, result);
        Pointwise after = Pointwise.of(Coefficient.of(a * sigma), result, Coefficient.ZERO, result)
                .into(result);
        return new Step(
                        () -> {
                            before.run();
                            slope.run();
                            after.run();
                        },
                        inner,
                        shift)
                .with(slope);
    }

    @Override
    public String toString() {
        return sigma + " " + f + "(" + a + " x + " + (vector == null ? b : "b") + ")";
    }
}
