// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;

/** An operator times a number. */
final class ScaledOperator extends LinearOperator {
    private final LinearOperator operator;
    private final Coefficient factor;
    private final Coefficient conjugate;
    private final Temporary scaled = new Temporary();

    ScaledOperator(LinearOperator operator, double real, double imaginary) {
        super(
                operator.backend(),
                operator.domain(),
                type(operator, operator.domainType(), imaginary),
                operator.range(),
                type(operator, operator.rangeType(), imaginary));
        if (Double.isNaN(real) || Double.isNaN(imaginary)) {
            throw new IllegalArgumentException("times: the factor " + real + " + " + imaginary + "i is not a number");
        }
        this.operator = operator;
        factor = Coefficient.of(real, imaginary);
        conjugate = Coefficient.of(real, -imaginary);
    }

    /** A complex factor makes real elements complex, but not those that the operator takes apart from complex ones. */
    private static DataType type(LinearOperator operator, DataType type, double imaginary) {
        return imaginary == 0 || operator.changesType() ? type : Compute.promote(type, DataType.COMPLEX64);
    }

    /** Returns the operator without its factor. */
    LinearOperator operator() {
        return operator;
    }

    /** Returns the factor. */
    Coefficient factor() {
        return factor;
    }

    @Override
    boolean isComplexLinear() {
        return operator.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        operator.matvec(x, y).scale(factor);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        if (operator.isComplexLinear() || conjugate.imaginary() == 0) {
            operator.rmatvec(y, x).scale(conjugate);
        } else {
            // The factor does not commute with the operator.
            operator.rmatvec(scaled.like(y).assign(y).scale(conjugate), x);
        }
    }

    /** Adds a A x to y; {@code term} is a vector like y that is overwritten. Saves the pass that scales the product. */
    void addProduct(Vector x, Vector y, Vector term) {
        y.axpy(factor, operator.matvec(x, term));
    }

    /** Adds (a A)ᴴ y to x; {@code term} is a vector like x that is overwritten. */
    void addAdjointProduct(Vector y, Vector x, Vector term) {
        if (operator.isComplexLinear() || conjugate.imaginary() == 0) {
            x.axpy(conjugate, operator.rmatvec(y, term));
        } else {
            x.axpy(Coefficient.ONE, rmatvec(y, term));
        }
    }

    @Override
    public String toString() {
        return "(" + factor.real() + (factor.imaginary() == 0 ? "" : " + " + factor.imaginary() + "i") + ") * "
                + operator;
    }
}
