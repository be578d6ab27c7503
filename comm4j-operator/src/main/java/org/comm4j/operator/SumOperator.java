// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.jspecify.annotations.Nullable;

/**
 * The sum of two operators. The factor of a scaled second one is applied while its product is added. A diagonal and a
 * sum of band matrices take one pass over memory.
 */
final class SumOperator extends LinearOperator {
    private final LinearOperator first;
    private final LinearOperator second;
    private final Temporary term = new Temporary();
    /** A diagonal and a sum of band matrices, which take one pass over memory; null if these are others. */
    private final @Nullable Diagonal diagonal;

    private final @Nullable BandOperator bands;

    SumOperator(LinearOperator first, LinearOperator second) {
        super(
                first.backend(),
                first.domain(),
                Compute.promote(first.domainType(), second.domainType()),
                first.range(),
                Compute.promote(first.rangeType(), second.rangeType()));
        if (first.backend() != second.backend()
                || !first.domain().equals(second.domain())
                || !first.range().equals(second.range())) {
            throw new IllegalArgumentException(
                    "plus: " + first + " and " + second + " must have the same domain, range and backend");
        }
        if (first.changesType() != second.changesType() || changesType() && first.domainType() != domainType()) {
            throw new IllegalArgumentException("plus: " + first + " maps " + first.domainType() + " to "
                    + first.rangeType() + ", and " + second + " " + second.domainType() + " to " + second.rangeType());
        }
        this.first = first;
        this.second = second;
        boolean isDiagonal = first instanceof Diagonal;
        diagonal = isDiagonal ? (Diagonal) first : second instanceof Diagonal other ? other : null;
        bands = diagonal == null ? null : bands(isDiagonal ? second : first);
    }

    /** Returns an operator as a sum of band matrices, or null if it is none. */
    private static @Nullable BandOperator bands(LinearOperator operator) {
        if (operator instanceof BandOperator bands) {
            return bands;
        }
        if (operator instanceof ScaledOperator scaled && scaled.factor().imaginary() == 0) {
            BandOperator inner = bands(scaled.operator());
            return inner == null ? null : inner.scaled(scaled.factor().real());
        }
        return null;
    }

    /** Computes a diagonal and a stencil in one pass over memory, if these are such operators of real vectors. */
    private boolean isFused(boolean adjoint, Vector from, Vector to) {
        BandOperator stencil = bands;
        Diagonal factors = diagonal;
        if (stencil == null
                || factors == null
                || from.type().isComplex()
                || factors.elements().type() != from.type()) {
            return false;
        }
        stencil.applyWithDiagonal(
                adjoint,
                factors.elements().arrays().getFirst(),
                from.arrays().getFirst(),
                to.arrays().getFirst());
        return true;
    }

    @Override
    boolean isComplexLinear() {
        return first.isComplexLinear() && second.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        if (isFused(false, x, y)) {
            return;
        }
        first.matvec(x, y);
        if (second instanceof ScaledOperator scaled) {
            scaled.addProduct(x, y, term.like(y));
        } else {
            y.axpy(Coefficient.ONE, second.matvec(x, term.like(y)));
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        if (isFused(true, y, x)) {
            return;
        }
        first.rmatvec(y, x);
        if (second instanceof ScaledOperator scaled) {
            scaled.addAdjointProduct(y, x, term.like(x));
        } else {
            x.axpy(Coefficient.ONE, second.rmatvec(y, term.like(x)));
        }
    }

    @Override
    public String toString() {
        return "(" + first + " + " + second + ")";
    }
}
