// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;

/**
 * Functions of the 2-norm of all elements: σ |x| ({@link #of}, PyProximal {@code Euclidean}) and the ball |x| ≤ r
 * ({@link #ball}, PyProximal {@code EuclideanBall}). Their values and maps are collective unless x is replicated.
 */
public final class Euclidean extends Proximal {
    private static final Calculation SHRINK = Euclidean::shrink;
    private static final Calculation PROJECT = Euclidean::project;
    private static final Calculation KEEP = Euclidean::keep;

    private final boolean ball;
    private final double size;

    private Euclidean(boolean ball, double size) {
        this.ball = ball;
        this.size = size;
    }

    /** Returns σ |x|. */
    public static Euclidean of(double sigma) {
        return new Euclidean(false, Separable.checked("Euclidean: sigma", sigma));
    }

    /** Returns the constraint |x| ≤ r: 0 inside, ∞ outside. */
    public static Euclidean ball(double radius) {
        return new Euclidean(true, Separable.checked("Euclidean: the radius", radius));
    }

    private static void keep(F64Ptr numbers, F64Ptr tau, F64Ptr none) {
        numbers.set(2, tau.get(0));
    }

    private static void shrink(F64Ptr numbers, F64Ptr square, F64Ptr sigma) {
        double norm = Math.sqrt(Dots.real(square, 0));
        double threshold = numbers.get(2) * sigma.get(0);
        numbers.set(0, norm <= threshold ? 0 : 1 - threshold / norm);
    }

    private static void project(F64Ptr numbers, F64Ptr square, F64Ptr radius) {
        double norm = Math.sqrt(Dots.real(square, 0));
        numbers.set(0, norm <= radius.get(0) ? 1 : radius.get(0) / norm);
    }

    @Override
    public double value(Vector x) {
        double norm = x.norm();
        // A projection has the radius but for its rounding.
        double rounding = Compute.real(x.type()) == DataType.FLOAT64 ? 1e-12 : 1e-5;
        return ball ? norm <= size * (1 + rounding) ? 0 : Double.POSITIVE_INFINITY : size * norm;
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        Dots square = Dots.of(u, u);
        Buffer parameters = Steps.memory(u.backend().compute(), size);
        Steps steps = new Steps(u.backend(), 2, KEEP, tau);
        Runnable norm = square.reducing(ball ? PROJECT : SHRINK, steps.buffer(), square.numbers(), parameters);
        Pointwise scale = Pointwise.of(steps.get(0), u, Coefficient.ZERO, u).into(v);
        Runnable all = update.around(
                u,
                () -> {
                    steps.calculate();
                    norm.run();
                    scale.run();
                },
                v);
        return new Step(all, u, v);
    }
}
