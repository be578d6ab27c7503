// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import org.comm4j.array.Dots;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.PointFunction;
import org.jspecify.annotations.Nullable;

/** A sum of a function of each element, or of each group: the map and the update around it are one kernel. */
abstract class Separable extends Proximal {
    /**
     * The functions of one element.
     *
     * @param radial whether they are of the modulus; else they are of real elements
     * @param group whether the modulus is that of the elements at a place of all arrays of a stack
     * @param map the proximal map, with τ as its step
     * @param value of the function, with the relative rounding of a bound as its step
     */
    record Form(boolean radial, boolean group, PointFunction map, PointFunction value) {}

    private static final double FLOAT_ROUNDING = 0x1p-23;

    private final Form form;
    private final double[] parameters;
    private @Nullable Compute compute;
    private @Nullable Buffer memory;

    Separable(Form form, double... parameters) {
        this.form = form;
        this.parameters = parameters.clone();
    }

    /** Returns a number that has to be at least 0. */
    static double checked(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + " " + value + " is not a finite number of at least 0");
        }
        return value;
    }

    private Buffer memory(Vector x) {
        Compute own = x.backend().compute();
        Buffer known = memory;
        if (known == null || !own.equals(compute)) {
            known = Steps.memory(own, parameters);
            memory = known;
            compute = own;
        }
        return known;
    }

    /** Checks vectors before the map is described. */
    void check(Vector x) {
        if (!form.radial && x.type().isComplex()) {
            throw new IllegalArgumentException(this + " is defined for real vectors only, not for " + x);
        }
    }

    private Pointwise with(Pointwise update, PointFunction function, Coefficient tau) {
        check(update.vector());
        Buffer own = memory(update.vector());
        Pointwise described = form.radial ? update.radial(function, tau, own) : update.real(function, tau, own);
        return form.group ? described.group() : described;
    }

    @Override
    public double value(Vector x) {
        Dots sum = Dots.given(x.backend());
        double rounding = Compute.real(x.type()) == DataType.FLOAT64 ? 0 : FLOAT_ROUNDING;
        with(Pointwise.of(x), PointFunction.IDENTITY, Coefficient.of(rounding))
                .sums(form.value, sum, 0)
                .run();
        return sum.reduce().real(0);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        return new Step(with(update, form.map, tau));
    }

    @Override
    public Step prepareDual(Pointwise update, Coefficient tau) {
        return new Step(with(update, form.map, tau).dual());
    }
}
