// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Vector;

/** The product with a diagonal matrix (PyLops {@code Diagonal}), element by element. It does not communicate. */
public final class Diagonal extends LinearOperator {
    private final Vector diagonal;
    private final Vector conjugate;
    private final Temporary converted = new Temporary();

    private Diagonal(Vector diagonal) {
        super(diagonal.backend(), diagonal.layout(), diagonal.layout(), diagonal.type());
        this.diagonal = diagonal;
        conjugate =
                diagonal.type().isComplex() ? diagonal.like().assign(diagonal).conjugate() : diagonal;
    }

    /** Returns the product with a diagonal, which stays the caller's and must not change. */
    public static Diagonal of(Vector diagonal) {
        nonNull(diagonal, "Diagonal.of", "diagonal");
        return new Diagonal(diagonal);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        multiply(diagonal, x, y);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        multiply(conjugate, y, x);
    }

    /** Returns the elements. */
    Vector elements() {
        return diagonal;
    }

    private void multiply(Vector factors, Vector from, Vector to) {
        to.multiply(factors.type() == to.type() ? factors : converted.like(to).assign(factors), from);
    }
}
