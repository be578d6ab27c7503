// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Complex;
import org.comm4j.math.Compute;

/**
 * A linear operator between vectors of given layouts (PyLops {@code LinearOperator}); the same class on one rank and on
 * a thousand.
 *
 * <p>{@link #matvec} and {@link #rmatvec} are collective if the operator communicates: every rank calls them in the
 * same order. A real operator acts on complex vectors, too. A complex one on a real vector is an
 * {@link IllegalArgumentException}, never a dropped imaginary part. Both have the same precision.
 *
 * <p>Compositions such as {@link #times(LinearOperator)} are operators of their own, with the layouts and the backend
 * of their parts. They do not copy matrices.
 */
public abstract class LinearOperator {
    private final Backend backend;
    private final Layout domain;
    private final Layout range;
    private final DataType type;
    private final DataType domainType;
    private final DataType rangeType;

    /**
     * Makes an operator.
     *
     * @param domain layout of what {@link #matvec} takes
     * @param range layout of what it returns
     * @param type of the operator's elements: a complex one makes vectors complex
     */
    protected LinearOperator(Backend backend, Layout domain, Layout range, DataType type) {
        this(backend, domain, type, range, type);
    }

    /**
     * Makes an operator that may map real vectors to complex ones, or back.
     *
     * @param domain layout of what {@link #matvec} takes
     * @param domainType element type of what it takes
     * @param range layout of what it returns
     * @param rangeType element type of what it returns, of the same precision
     */
    protected LinearOperator(Backend backend, Layout domain, DataType domainType, Layout range, DataType rangeType) {
        Compute.check(getClass().getSimpleName(), domainType);
        Compute.check(getClass().getSimpleName(), rangeType);
        this.backend = backend;
        this.domain = domain;
        this.range = range;
        this.domainType = domainType;
        this.rangeType = rangeType;
        type = Compute.promote(domainType, rangeType);
    }

    /** Returns the backend of the operator's vectors. */
    public final Backend backend() {
        return backend;
    }

    /** Returns the layout of the model, which {@link #matvec} takes. */
    public final Layout domain() {
        return domain;
    }

    /** Returns the layout of the data, which {@link #matvec} returns. */
    public final Layout range() {
        return range;
    }

    /** Returns the type of the operator's elements. */
    public final DataType type() {
        return type;
    }

    /** Returns the element type of the model: that of the operator, unless it maps real to complex vectors. */
    public final DataType domainType() {
        return domainType;
    }

    /** Returns the element type of the data: that of the operator, unless it maps complex to real vectors. */
    public final DataType rangeType() {
        return rangeType;
    }

    /** Returns the type of A x for an x of a type: the same one, unless the operator changes it. */
    final DataType rangeType(DataType given) {
        return domainType == rangeType ? given : rangeType;
    }

    /** Returns the type of Aᴴ y for a y of a type: the same one, unless the operator changes it. */
    final DataType domainType(DataType given) {
        return domainType == rangeType ? given : domainType;
    }

    /** Returns whether A x has another element type than x. */
    final boolean changesType() {
        return domainType != rangeType;
    }

    /**
     * Collective where the operator communicates: computes y = A x.
     *
     * @return y
     * @throws IllegalArgumentException if a layout or type is not the operator's, or if both vectors are the same
     */
    public final Vector matvec(Vector x, Vector y) {
        nonNull(x, "matvec", "x");
        nonNull(y, "matvec", "y");
        check("matvec", x, domain, domainType, y, range, rangeType(x.type()));
        apply(x, y);
        return y;
    }

    /**
     * Collective where the operator communicates: computes x = Aᴴ y.
     *
     * @return x
     * @throws IllegalArgumentException if a layout or type is not the operator's, or if both vectors are the same
     */
    public final Vector rmatvec(Vector y, Vector x) {
        nonNull(y, "rmatvec", "y");
        nonNull(x, "rmatvec", "x");
        check("rmatvec", y, range, rangeType, x, domain, domainType(y.type()));
        applyAdjoint(y, x);
        return x;
    }

    /** Computes y = A x for vectors that fit; y has any content before. */
    protected abstract void apply(Vector x, Vector y);

    /** Computes x = Aᴴ y for vectors that fit; x has any content before. */
    protected abstract void applyAdjoint(Vector y, Vector x);

    private void check(
            String operation,
            Vector from,
            Layout fromLayout,
            DataType fromType,
            Vector to,
            Layout toLayout,
            DataType toType) {
        checkLayout(operation, from, fromLayout);
        checkLayout(operation, to, toLayout);
        if (Compute.real(from.type()) != Compute.real(type)) {
            throw new IllegalArgumentException(message(operation) + from + " and an operator of " + type
                    + " have different precisions; assign converts vectors");
        }
        if (changesType() && from.type() != fromType) {
            throw new IllegalArgumentException(
                    message(operation) + from + " must have elements of " + fromType + ", which give " + toType);
        }
        if (fromType.isComplex() && !from.type().isComplex()) {
            throw new IllegalArgumentException(message(operation) + "the operator is complex and " + from
                    + " is real; assign it to a vector of " + Compute.promote(type, from.type()) + " first");
        }
        if (to.type() != toType) {
            throw new IllegalArgumentException(
                    message(operation) + to + " takes a result of " + toType + " and must have that type");
        }
        if (from == to) {
            throw new IllegalArgumentException(message(operation) + "input and output are the same vector");
        }
        for (int i = 0; i < from.arrays().size(); i++) {
            for (int k = 0; k < to.arrays().size(); k++) {
                Buffer in = from.arrays().get(i).part();
                Buffer out = to.arrays().get(k).part();
                if (in.address() < out.address() + out.byteSize() && out.address() < in.address() + in.byteSize()) {
                    throw new IllegalArgumentException(message(operation) + "input and output share memory, "
                            + from.arrays().get(i) + " and " + to.arrays().get(k));
                }
            }
        }
    }

    private void checkLayout(String operation, Vector vector, Layout layout) {
        if (vector.backend() != backend) {
            throw new IllegalArgumentException(message(operation) + vector + " belongs to another backend");
        }
        if (!vector.layout().equals(layout)) {
            throw new IllegalArgumentException(message(operation) + vector + " must have the layout " + layout + ": "
                    + vector.layout().difference(layout));
        }
        for (int i = 0; i < vector.arrays().size(); i++) {
            if (!vector.arrays().get(i).part().isAlive()) {
                throw new IllegalStateException(message(operation) + vector + " is closed");
            }
        }
    }

    private String message(String operation) {
        return operation + " of " + this + " on rank " + backend.rank() + ": ";
    }

    // What returns a new vector or operator

    /** Collective where the operator communicates: returns a new vector, A x. */
    public final Vector times(Vector x) {
        nonNull(x, "times", "x");
        return matvec(x, backend.vector(range, rangeType(x.type())));
    }

    /** Returns the adjoint Aᴴ. */
    public LinearOperator H() {
        return new AdjointOperator(this);
    }

    /** Returns the complex conjugate, x ↦ conj(A conj(x)). */
    public LinearOperator conj() {
        return type.isComplex() ? new ConjugateOperator(this) : this;
    }

    /** Returns the transpose. */
    public final LinearOperator T() {
        return H().conj();
    }

    /** Returns the product A B: first B, then A. */
    public final LinearOperator times(LinearOperator b) {
        nonNull(b, "times", "b");
        return new ProductOperator(this, b);
    }

    /** Returns a A. */
    public final LinearOperator times(double a) {
        return new ScaledOperator(this, a, 0);
    }

    /** Returns a A for a complex number a. */
    public final LinearOperator times(double real, double imaginary) {
        return new ScaledOperator(this, real, imaginary);
    }

    /** Returns −A. */
    public final LinearOperator negate() {
        return times(-1);
    }

    /** Returns A + B. */
    public final LinearOperator plus(LinearOperator b) {
        nonNull(b, "plus", "b");
        return new SumOperator(this, b);
    }

    /** Returns A − B. */
    public final LinearOperator minus(LinearOperator b) {
        nonNull(b, "minus", "b");
        return plus(b.negate());
    }

    /**
     * Returns Aᵖ.
     *
     * @throws IllegalArgumentException if p is less than 1, or if A does not map its domain to itself
     */
    public final LinearOperator power(int p) {
        if (p < 1) {
            throw new IllegalArgumentException("power: the exponent " + p + " is less than 1");
        }
        LinearOperator product = this;
        for (int i = 1; i < p; i++) {
            product = product.times(this);
        }
        return product;
    }

    /**
     * Collective: compares ⟨A x, y⟩ and ⟨x, Aᴴ y⟩ for random vectors (PyLops {@code dottest}).
     *
     * @param seed of the vectors
     * @return the difference by the product of the norms: the type's rounding error if matvec and rmatvec are adjoint
     */
    public final double dottest(long seed) {
        try (Vector x = random(domain, domainType, seed);
                Vector y = random(range, rangeType, seed + 1);
                Vector ax = times(x);
                Vector ay = rmatvec(y, x.like())) {
            Dots dots = Dots.of(y, ax).and(ay, x).reduce();
            double imaginary = isComplexLinear() ? dots.imaginary(0) - dots.imaginary(1) : 0;
            double difference = Math.hypot(dots.real(0) - dots.real(1), imaginary);
            double norms = Math.max(ax.norm() * y.norm(), ay.norm() * x.norm());
            return difference == 0 ? 0 : difference / norms;
        }
    }

    /**
     * Collective: returns an eigenvalue of the largest modulus by power iteration (PyLops {@code power_iteration}). An
     * iteration makes one reduction besides those of the operator.
     *
     * @param iterations largest number of them
     * @param tolerance change of the eigenvalue, relative to it, below which the iteration ends
     * @param seed of the first vector
     * @throws IllegalStateException if the operator does not map its domain to itself
     */
    public final Eigenpair eigs(int iterations, double tolerance, long seed) {
        checkEigs();
        return iterate(iterations, tolerance, random(domain, type, seed));
    }

    /**
     * Collective: does so from a first vector, which is not changed.
     *
     * @throws IllegalArgumentException if the vector is not of the domain, or if its norm is not a number above 0
     */
    public final Eigenpair eigs(int iterations, double tolerance, Vector start) {
        nonNull(start, "eigs", "start");
        checkEigs();
        checkLayout("eigs", start, domain);
        double norm = start.norm();
        if (!(norm > 0) || Double.isInfinite(norm)) {
            throw new IllegalArgumentException("eigs of " + this + ": the start has the norm " + norm);
        }
        return iterate(iterations, tolerance, start.like().assign(start));
    }

    private void checkEigs() {
        if (!domain.equals(range) || changesType()) {
            throw new IllegalStateException("eigs of " + this + ": it does not map its domain to itself");
        }
    }

    private Eigenpair iterate(int iterations, double tolerance, Vector b) {
        b.scale(Coefficient.of(1 / b.norm()));
        Complex value = new Complex(0, 0);
        int made = 0;
        try (Vector image = b.like()) {
            Dots dots = Dots.of(b, image).and(image, image);
            while (made < iterations) {
                matvec(b, image);
                dots.reduce();
                made++;
                Complex last = value;
                value = new Complex(dots.real(0), dots.imaginary(0));
                double norm = Math.sqrt(dots.real(1));
                if (norm == 0) {
                    break;
                }
                b.assign(image).scale(Coefficient.of(1 / norm));
                double change = Math.hypot(value.real() - last.real(), value.imaginary() - last.imaginary());
                if (change < tolerance * last.abs()) {
                    break;
                }
            }
        }
        return new Eigenpair(value, b, made);
    }

    /**
     * Collective: returns the matrix of the operator, replicated, with as many rows as the range has elements and as
     * many columns as the domain (PyLops {@code todense}). It computes a product for each column: for small operators.
     */
    public final DistributedArray todense() {
        return new DenseMatrix(this).compute();
    }

    /** Returns whether A (i x) = i A x; taking the real part is linear for real factors only. */
    boolean isComplexLinear() {
        return !changesType();
    }

    private Vector random(Layout layout, DataType type, long seed) {
        Vector vector = backend.vector(layout, type);
        for (int i = 0; i < vector.arrays().size(); i++) {
            var array = vector.arrays().get(i);
            long own = seed + 1000L * i;
            array.layout()
                    .runs(
                            backend.rank(),
                            (local, global, count) -> backend.compute()
                                    .random(own, global, array.part().slice(local, count)));
        }
        return vector;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + range + " <- " + domain + ", " + type + "]";
    }
}
