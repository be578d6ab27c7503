// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;

/**
 * The complex conjugate, the real or the imaginary part of a vector (PyLops {@code Conj}, {@code Real} and {@code
 * Imag}). The result has the type of the vector: a part of complex elements has an imaginary part of 0. These operators
 * are linear for real factors only, and adjoint in the real part of the inner product. They do not communicate.
 */
public final class Conj extends LinearOperator {
    private final Coefficient own;
    private final Coefficient conjugate;
    private final Coefficient ownBack;
    private final Coefficient conjugateBack;

    /** y = own x + conjugate conj(x), x = ownBack y + conjugateBack conj(y). */
    private Conj(
            Backend backend,
            Layout layout,
            DataType type,
            Coefficient own,
            Coefficient conjugate,
            Coefficient ownBack,
            Coefficient conjugateBack) {
        super(backend, layout, layout, type);
        this.own = own;
        this.conjugate = conjugate;
        this.ownBack = ownBack;
        this.conjugateBack = conjugateBack;
    }

    /** Returns the complex conjugate. */
    public static Conj of(Backend backend, Layout layout, DataType type) {
        noNulls("Conj.of", "backend", backend, "layout", layout, "type", type);
        return new Conj(backend, layout, type, Coefficient.ZERO, Coefficient.ONE, Coefficient.ZERO, Coefficient.ONE);
    }

    /** Returns the real part. */
    public static Conj real(Backend backend, Layout layout, DataType type) {
        noNulls("Conj.real", "backend", backend, "layout", layout, "type", type);
        Coefficient half = Coefficient.of(0.5);
        return new Conj(backend, layout, type, half, half, half, half);
    }

    /**
     * Returns the imaginary part, as a real number; the adjoint returns i times the real part.
     *
     * @param type a complex one
     */
    public static Conj imaginary(Backend backend, Layout layout, DataType type) {
        noNulls("Conj.imaginary", "backend", backend, "layout", layout, "type", type);
        if (!type.isComplex()) {
            throw new IllegalArgumentException("Conj: elements of " + type + " have no imaginary part");
        }
        Coefficient half = Coefficient.of(0, 0.5);
        return new Conj(backend, layout, type, Coefficient.of(0, -0.5), half, half, half);
    }

    @Override
    boolean isComplexLinear() {
        return !type().isComplex();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        y.assign(x).conjugate().axpby(own, x, conjugate);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        x.assign(y).conjugate().axpby(ownBack, y, conjugateBack);
    }
}
