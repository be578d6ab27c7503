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
 * Conjugate gradients for least squares (PyLops {@code cgls}): the x that minimises |y − A x|² + damp² |x|².
 *
 * <p>An iteration applies A and Aᴴ once each, and the preconditioner if there is one, and makes two reductions over the
 * ranks besides those of the operators. It allocates nothing itself. Every rank decides by the same reduced numbers, so
 * that all stop at the same iteration. The algorithm is that of Björck (Numerical Methods for Least Squares Problems,
 * 7.4), with damp² also in the first gradient.
 */
public final class Cgls {
    private Cgls() {}

    /**
     * Returns a solver of the least-squares problem of an operator and data, which it does not change.
     *
     * @throws IllegalArgumentException if the data are not of the operator's range
     */
    public static Solver of(LinearOperator operator, Vector data) {
        return new Solver("Cgls", operator, data, Steps::new);
    }

    /** The vectors and numbers of a run. */
    private static final class Steps implements Algorithm {
        private final Solver options;
        private final LinearOperator a;
        private final @Nullable LinearOperator m;
        private final Vector x;
        private final Vector p;
        private final Vector q;
        private final Vector s;
        private final Vector r;
        /** M r; r itself where there is no preconditioner. */
        private final Vector z;

        private final Dots lengths;
        private final Dots norms;
        private final Scalar step;
        private final Scalar back;
        private final Scalar direction;
        private final Coefficient minusDamp;
        private final double damp2;
        private double gradient;
        private double product;
        private double residual;
        private double model;
        private double reference;

        Steps(Solver options, Vector x) {
            this.options = options;
            this.x = x;
            a = options.operator();
            m = options.preconditioner();
            damp2 = options.dampFactor() * options.dampFactor();
            minusDamp = Coefficient.of(-damp2);
            s = options.data().like();
            q = s.like();
            r = x.like();
            p = x.like();
            z = m == null ? r : x.like();
            lengths = Dots.of(q, q).and(p, p);
            norms = Dots.of(r, r).and(s, s).and(x, x);
            if (m != null) {
                norms.and(r, z);
            }
            Scalars scalars = a.backend().compute().scalars(3);
            step = scalars.get(0);
            back = scalars.get(1);
            direction = scalars.get(2);
        }

        @Override
        public void begin() {
            s.assign(options.data());
            boolean started = options.startModel() != null;
            if (started && options.stop().isRelative()) {
                a.rmatvec(s, r);
                reference = norms.reduce().real(0);
            }
            if (started) {
                s.axpy(Coefficient.MINUS_ONE, a.matvec(x, q));
            }
            reduce();
            reference = started ? reference : gradient;
            p.assign(z);
        }

        /** Computes r = Aᴴ s − damp² x, z = M r and their norms. */
        private void reduce() {
            a.rmatvec(s, r);
            if (damp2 != 0) {
                r.axpy(minusDamp, x);
            }
            if (m != null) {
                m.matvec(r, z);
            }
            norms.reduce();
            gradient = norms.real(0);
            residual = norms.real(1);
            model = norms.real(2);
            product = m == null ? gradient : norms.real(3);
        }

        @Override
        public boolean step() {
            a.matvec(p, q);
            lengths.reduce();
            double length = product / (lengths.real(0) + damp2 * lengths.real(1));
            step.set(length);
            back.set(-length);
            x.axpy(step, p);
            s.axpy(back, q);
            double last = product;
            reduce();
            direction.set(product / last);
            p.axpby(Coefficient.ONE, z, direction);
            return true;
        }

        @Override
        public double square() {
            return gradient;
        }

        @Override
        public double reference() {
            return reference;
        }

        @Override
        public double residualNorm() {
            return Math.sqrt(residual);
        }

        @Override
        public double objective() {
            return Math.sqrt(residual + damp2 * model);
        }

        @Override
        public double growth() {
            return 2;
        }

        @Override
        public List<Vector> vectors() {
            return List.of(p, s);
        }

        @Override
        public double[] numbers() {
            return new double[] {gradient, product, residual, model};
        }

        @Override
        public void restore(double... numbers) {
            gradient = numbers[0];
            product = numbers[1];
            residual = numbers[2];
            model = numbers[3];
        }

        @Override
        public void close() {
            p.close();
            q.close();
            s.close();
            r.close();
            z.close();
        }
    }
}
