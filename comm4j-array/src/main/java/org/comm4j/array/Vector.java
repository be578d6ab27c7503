// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Complex;
import org.comm4j.math.Compute;

/**
 * A vector that solvers work on: a {@link DistributedArray}, or several as a {@link StackedArray}.
 *
 * <p>Operations work in place and return this vector, unless they say that they return a new one. They do not
 * communicate, except for those whose description begins with "Collective". Vectors of one operation have equal layouts
 * and types; otherwise it throws {@link IllegalArgumentException} before anything is changed. Operations of a closed
 * vector throw {@link IllegalStateException}.
 */
public sealed interface Vector extends AutoCloseable permits DistributedArray, StackedArray {
    /** Returns the backend that the vector belongs to. */
    Backend backend();

    /** Returns the layout. */
    Layout layout();

    /** Returns the type of the elements. */
    DataType type();

    /** Returns the arrays that the vector consists of, in their order. */
    List<DistributedArray> arrays();

    /** Returns a new vector of zeros with this layout and type. */
    default Vector like() {
        return like(type());
    }

    /** Returns a new vector of zeros with this layout and another type. */
    Vector like(DataType type);

    /** Sets every element to {@code value}. */
    default Vector fill(Coefficient value) {
        nonNull(value, "fill", "value");
        for (int i = 0; i < arrays().size(); i++) {
            compute().fill(value, arrays().get(i).part());
        }
        return this;
    }

    /** Copies the elements of {@code x}, which may have another type: real numbers get an imaginary part of 0. */
    default Vector assign(Vector x) {
        checkLayout("assign", x);
        for (int i = 0; i < arrays().size(); i++) {
            compute().copy(x.arrays().get(i).part(), arrays().get(i).part());
        }
        return this;
    }

    /** Computes this = a x + b this (BLAS {@code axpby}). An operand whose factor is 0 is not read. */
    default Vector axpby(Coefficient a, Vector x, Coefficient b) {
        nonNull(a, "axpby", "a");
        nonNull(b, "axpby", "b");
        check("axpby", x);
        for (int i = 0; i < arrays().size(); i++) {
            compute().axpby(a, x.arrays().get(i).part(), b, arrays().get(i).part());
        }
        return this;
    }

    /** Computes this += a x (BLAS {@code axpy}). */
    default Vector axpy(Coefficient a, Vector x) {
        nonNull(a, "axpy", "a");
        nonNull(x, "axpy", "x");
        return axpby(a, x, Coefficient.ONE);
    }

    /** Computes this += a x (BLAS {@code axpy}). */
    default Vector axpy(double a, Vector x) {
        nonNull(x, "axpy", "x");
        return axpby(Coefficient.of(a), x, Coefficient.ONE);
    }

    /** Multiplies every element by {@code a} (BLAS {@code scal}). */
    default Vector scale(Coefficient a) {
        nonNull(a, "scale", "a");
        return axpby(Coefficient.ZERO, this, a);
    }

    /** Multiplies every element by the element of {@code x} at its place. */
    default Vector multiply(Vector x) {
        return multiply(x, this);
    }

    /** Computes this = x y, element by element. */
    default Vector multiply(Vector x, Vector y) {
        nonNull(y, "multiply", "y");
        check("multiply", x);
        check("multiply", y);
        for (int i = 0; i < arrays().size(); i++) {
            compute()
                    .multiply(
                            x.arrays().get(i).part(),
                            y.arrays().get(i).part(),
                            arrays().get(i).part());
        }
        return this;
    }

    /** Replaces every element by its complex conjugate. */
    default Vector conjugate() {
        for (int i = 0; i < arrays().size(); i++) {
            var part = arrays().get(i).part();
            compute().conjugate(part, part);
        }
        return this;
    }

    /** Returns a new vector, this + x, of the type that holds both. */
    default Vector plus(Vector x) {
        return sum("plus", x, Coefficient.ONE);
    }

    /** Returns a new vector, this − x, of the type that holds both. */
    default Vector minus(Vector x) {
        return sum("minus", x, Coefficient.MINUS_ONE);
    }

    private Vector sum(String operation, Vector x, Coefficient factor) {
        checkLayout(operation, x);
        DataType type = Compute.promote(type(), x.type());
        Vector result = like(type).assign(this);
        if (x.type() == type) {
            return result.axpy(factor, x);
        }
        Vector converted = x.like(type);
        try {
            return result.axpy(factor, converted.assign(x));
        } finally {
            converted.close();
        }
    }

    /** Returns a new vector, a times this. */
    default Vector times(double a) {
        return like().axpby(Coefficient.of(a), this, Coefficient.ZERO);
    }

    /** Collective unless replicated: returns the sum of conj(this) x (NumPy {@code vdot}), equal on every rank. */
    default Complex vdot(Vector x) {
        nonNull(x, "vdot", "x");
        Dots dots = Dots.of(this, x).reduce();
        return new Complex(dots.real(0), dots.imaginary(0));
    }

    /**
     * Collective unless replicated: returns the sum of this x, unconjugated (NumPy {@code dot}), equal on every rank.
     */
    default Complex dot(Vector x) {
        nonNull(x, "dot", "x");
        Dots dots = Dots.unconjugated(this, x).reduce();
        return new Complex(dots.real(0), dots.imaginary(0));
    }

    /** Collective unless replicated: returns the 2-norm, without overflow or underflow, equal on every rank. */
    default double norm() {
        return Norms.norm(this, 2);
    }

    /**
     * Collective unless replicated: returns the vector norm of an order, equal on every rank (NumPy {@code
     * linalg.norm}).
     *
     * @param order 0 for the number of elements that are not 0, any other number p for (Σ |x|ᵖ)^(1/p), ±∞ for the
     *     largest and smallest modulus
     */
    default double norm(double order) {
        return Norms.norm(this, order);
    }

    private Compute compute() {
        return backend().compute();
    }

    /** Checks that {@code x} has the layout and type of this vector, and that both are open. */
    default void check(String operation, Vector x) {
        checkLayout(operation, x);
        if (x.type() != type()) {
            throw new IllegalArgumentException(operation + " on rank "
                    + backend().rank() + ": " + x + " and " + this + " have different element types; assign converts");
        }
    }

    private void checkLayout(String operation, Vector x) {
        nonNull(x, operation, "x");
        if (x.backend() != backend()) {
            throw new IllegalArgumentException(operation + " on rank "
                    + backend().rank() + ": " + x + " and " + this + " belong to different backends");
        }
        if (!layout().equals(x.layout())) {
            throw new IllegalArgumentException(
                    operation + " on rank " + backend().rank() + ": " + x + " and " + this + " have different layouts: "
                            + x.layout().difference(layout()));
        }
    }

    /** Frees the memory; closing twice is fine. */
    @Override
    void close();
}
