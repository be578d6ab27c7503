// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Vector;
import org.comm4j.operator.Eigenpair;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link Ista} and {@link Fista}; {@link #iterations} and {@link #solver} lead to those that all solvers
 * share. Of these, {@code tolerance} and {@code stopBelow} are about the change |x − the x before|, PyLops' {@code tol}
 * being the root of {@code stopBelow}; a tolerance is relative to the first step from zeros, alpha |Aᴴ y|.
 *
 * <p>The history of costs is that of ½ |y − A x|² + eps |x|₁ at the start and after each iteration, the number that
 * PyLops' {@code fista} reports. PyLops' {@code ista} reports |y − A x|² of the x before.
 */
public final class Sparse {
    private static final int EIGENVALUE_ITERATIONS = 100;
    private static final double EIGENVALUE_TOLERANCE = 1e-5;

    private final String name;
    private final boolean accelerated;
    private final LinearOperator operator;
    private final Solver solver;
    private double eps = 0.1;
    private double alpha;
    private Threshold threshold = Threshold.SOFT;
    private double[] decay = {1};
    private @Nullable LinearOperator transform;
    private double rtol;
    private double rtol1;
    private boolean monitored;
    private double percentage = Double.NaN;

    Sparse(String name, boolean accelerated, LinearOperator operator, Vector data) {
        this.name = name;
        this.accelerated = accelerated;
        this.operator = operator;
        solver = new Solver(name, operator, data, (options, x, state) -> new Shrinkage(this, options, x, state));
    }

    /** Sets the weight of sparsity, PyLops' {@code eps}; 0.1 unless set. The threshold is ½ eps alpha. */
    public Sparse eps(double weight) {
        eps = checked("eps", weight);
        return this;
    }

    /**
     * Sets the step, PyLops' {@code alpha}. Unless set it is 1 / λ for the largest eigenvalue λ of AᴴA, which a power
     * iteration finds before the first iteration. A step of 2 / λ or more is not stable, and a warning is logged.
     */
    public Sparse alpha(double step) {
        if (!(step > 0) || Double.isInfinite(step)) {
            throw new IllegalArgumentException(name + ": the step " + step + " is not a finite number above 0");
        }
        alpha = step;
        return this;
    }

    /** Sets the kind of threshold, PyLops' {@code threshkind}; soft unless set. */
    public Sparse threshold(Threshold kind) {
        nonNull(kind, "Sparse.threshold", "kind");
        threshold = kind;
        return this;
    }

    /**
     * Multiplies the threshold of iteration i by element i, PyLops' {@code decay}, and further ones by the last one.
     */
    public Sparse decay(double... factors) {
        nonNull(factors, "Sparse.decay", "factors");
        if (factors.length == 0) {
            throw new IllegalArgumentException(name + ": the decay has no numbers");
        }
        for (double factor : factors) {
            checked("decay", factor);
        }
        decay = factors.clone();
        return this;
    }

    /**
     * Sets an orthogonal operator S, PyLops' {@code SOp}: Sᴴ x is sparse instead of x, and the threshold is applied to
     * it.
     *
     * @throws IllegalArgumentException if its range is not the model's layout
     */
    public Sparse transform(LinearOperator s) {
        nonNull(s, "Sparse.transform", "s");
        if (!s.range().equals(operator.domain())) {
            throw new IllegalArgumentException(name + ": the range of " + s + " must be the domain of " + operator);
        }
        transform = s;
        return this;
    }

    /**
     * Keeps a percentage of the elements instead of those above ½ eps alpha: the threshold of each iteration is the
     * percentile 100 − percent of the moduli, PyLops' {@code perc} and kinds {@code soft-percentile} and so on. Neither
     * eps nor the decay have an influence on the model then.
     *
     * @param percent from 0 to 100
     */
    public Sparse percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException(name + ": the percentage " + percent + " is not between 0 and 100");
        }
        percentage = percent;
        return this;
    }

    /** Stops when the cost is below a fraction of that after the first iteration, PyLops' {@code rtol}. */
    public Sparse rtol(double fraction) {
        rtol = checked("rtol", fraction);
        return this;
    }

    /** Stops when the cost is below a fraction of |y|, PyLops' {@code rtol1}. */
    public Sparse rtol1(double fraction) {
        rtol1 = checked("rtol1", fraction);
        return this;
    }

    /** Stops as diverged when |y − A x| grows, PyLops' {@code monitorres}. */
    public Sparse monitorResidual() {
        monitored = true;
        return this;
    }

    private double checked(String what, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    name + ": " + what + " " + value + " is not a finite number of at least 0");
        }
        return value;
    }

    /** Returns the solver with the options that all solvers have. */
    public Solver solver() {
        return solver;
    }

    /** Sets the largest number of iterations and returns {@link #solver}. */
    public Solver iterations(int iterations) {
        return solver.iterations(iterations);
    }

    /** Collective: solves the problem with 10 iterations at most, and returns the model, which is the caller's. */
    public Vector solve() {
        return solver.solve();
    }

    // For the algorithm

    boolean isAccelerated() {
        return accelerated;
    }

    double eps() {
        return eps;
    }

    Threshold threshold() {
        return threshold;
    }

    /** Returns the percentage of elements to keep; NaN where a threshold is given. */
    double percentage() {
        return percentage;
    }

    double[] decays() {
        return decay.clone();
    }

    @Nullable
    LinearOperator transform() {
        return transform;
    }

    double rtol() {
        return rtol;
    }

    double rtol1() {
        return rtol1;
    }

    boolean isMonitored() {
        return monitored;
    }

    boolean hasOwnStep() {
        return alpha > 0;
    }

    /** Collective where the operator is: returns the step. */
    double step() {
        if (alpha > 0) {
            return alpha;
        }
        Eigenpair largest = operator.H().times(operator).eigs(EIGENVALUE_ITERATIONS, EIGENVALUE_TOLERANCE, 1);
        largest.vector().close();
        double value = largest.value().abs();
        if (!Double.isFinite(value)) {
            throw new IllegalStateException(name + ": the largest eigenvalue of AᴴA is " + value
                    + "; look for such numbers in the operator " + operator);
        }
        return value > 0 ? 1 / value : 1;
    }
}
