// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.List;
import org.comm4j.array.Dots;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * Conjugate gradients (PyLops {@code cg}): the solution of (A + damp I) x = y for a Hermitian positive definite A.
 *
 * <p>An iteration applies A once, and the preconditioner if there is one, and makes two reductions over the ranks
 * besides those of the operators. It allocates nothing itself. Every rank decides by the same reduced numbers, so that
 * all stop at the same iteration. The algorithm is that of Hestenes and Stiefel (1952).
 */
public final class Cg {
    private Cg() {}

    /**
     * Returns a solver of the system of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the operator does not map its domain to itself, or if the data are not of its
     *     range
     */
    public static Solver of(LinearOperator operator, Vector data) {
        if (!operator.domain().equals(operator.range())) {
            throw new IllegalArgumentException("Cg: " + operator + " must map its domain to itself; Cgls takes others");
        }
        return new Solver("Cg", operator, data, Steps::new);
    }

    /** The vectors and numbers of a run. */
    private static final class Steps implements Algorithm {
        private final Solver options;
        private final LinearOperator a;
        private final @Nullable LinearOperator m;
        private final Vector x;
        private final Vector p;
        private final Vector q;
        private final Vector r;
        /** M r; r itself where there is no preconditioner. */
        private final Vector z;

        private final Dots curvature;
        private final Dots residual;
        private final Scalar step;
        private final Scalar back;
        private final Scalar direction;
        private final Coefficient damp;
        private double square;
        private double product;
        private double reference;
        private @Nullable End end;

        Steps(Solver options, Vector x) {
            this.options = options;
            this.x = x;
            a = options.operator();
            m = options.preconditioner();
            damp = Coefficient.of(options.dampFactor());
            r = x.like();
            p = x.like();
            q = x.like();
            z = m == null ? r : x.like();
            curvature = Dots.of(p, q);
            residual = m == null ? Dots.of(r, r) : Dots.of(r, r).and(r, z);
            Scalars scalars = a.backend().compute().scalars(3);
            step = scalars.get(0);
            back = scalars.get(1);
            direction = scalars.get(2);
        }

        @Override
        public void begin() {
            r.assign(options.data());
            boolean started = options.startModel() != null;
            if (started && options.stop().isRelative()) {
                reference = residual.reduce().real(0);
            }
            if (started) {
                apply(x);
                r.axpy(Coefficient.MINUS_ONE, q);
            }
            reduce();
            reference = started ? reference : square;
            p.assign(z);
        }

        /** q = (A + damp I) v. */
        private void apply(Vector v) {
            a.matvec(v, q);
            if (damp.real() != 0) {
                q.axpy(damp, v);
            }
        }

        private void reduce() {
            if (m != null) {
                m.matvec(r, z);
            }
            residual.reduce();
            square = residual.real(0);
            product = m == null ? square : residual.real(1);
        }

        @Override
        public boolean step() {
            apply(p);
            double length = curvature.reduce().real(0);
            if (length <= 0) {
                end = new End(
                        StopReason.DIVERGED,
                        ": pᴴ A p is " + length + " for a direction p, so that the operator is not positive definite");
                return false;
            }
            step.set(product / length);
            back.set(-product / length);
            x.axpy(step, p);
            r.axpy(back, q);
            double last = product;
            reduce();
            direction.set(product / last);
            p.axpby(Coefficient.ONE, z, direction);
            return true;
        }

        @Override
        public @Nullable End end() {
            return end;
        }

        @Override
        public double square() {
            return square;
        }

        @Override
        public double reference() {
            return reference;
        }

        @Override
        public double residualNorm() {
            return Math.sqrt(square);
        }

        @Override
        public double objective() {
            return Math.sqrt(square);
        }

        @Override
        public double growth() {
            // The residual may grow before it falls: the limit of PETSc's KSPSetTolerances.
            return 1e5;
        }

        @Override
        public List<Vector> vectors() {
            return List.of(p, r);
        }

        @Override
        public double[] numbers() {
            return new double[] {square, product};
        }

        @Override
        public void restore(double... numbers) {
            square = numbers[0];
            product = numbers[1];
        }

        @Override
        public void close() {
            p.close();
            q.close();
            r.close();
            z.close();
        }
    }
}
