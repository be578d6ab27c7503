// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.function.BiConsumer;
import org.comm4j.array.Pointwise;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Calculation;
import org.comm4j.math.Coefficient;
import org.comm4j.math.PointFunction;
import org.comm4j.operator.FunctionOperator;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.VStack;
import org.comm4j.operator.proximal.LeastSquaresStep;
import org.comm4j.operator.proximal.OrderStatistic;

/**
 * Iteratively reweighted least squares (PyLops {@code irls}): data with outliers, by |y − A x|₁, or sparse models, by
 * |x|₁, each with ε² |x|². An iteration is a least-squares problem with weights that follow from the solution of the
 * one before it, and makes {@link #inner} iterations of conjugate gradients for it.
 *
 * <p>Weights of data are 1 / (|r| + δ) of residuals r, of the model |x|, and each are divided by the largest one. A
 * model's problem is one for v with x = |x|^½ v, which has the solution of PyLops' normal equations and a smaller
 * condition number.
 */
public final class Irls extends Splitting<Irls> {
    private static final Calculation WEIGHTS = Irls::weights;
    private static final PointFunction OF_RESIDUAL = Irls::ofResidual;
    private static final PointFunction OF_MODEL = Irls::ofModel;

    /** Far below all numbers, so that an element of 0 has a direction. */
    private static final double TINY = 1e-290;

    private final Vector y;
    private final boolean ofModel;
    private double delta = 1e-10;
    private boolean threshold;
    private double epsilon = 1e-10;
    private int inner = 10;
    private boolean warm;

    private Irls(LinearOperator a, Vector y, boolean ofModel) {
        super("Irls", a);
        if (!y.layout().equals(a.range()) || y.backend() != a.backend()) {
            throw new IllegalArgumentException("Irls: " + y + " must have the layout and backend of the range of " + a);
        }
        this.y = y;
        this.ofModel = ofModel;
    }

    /** Returns the solver that minimises |y − A x|₁ (PyLops' {@code kind="data"}). */
    public static Irls data(LinearOperator a, Vector y) {
        noNulls("Irls.data", "a", a, "y", y);
        return new Irls(a, y, false);
    }

    /** Returns the solver for a sparse x (PyLops' {@code kind="model"}). */
    public static Irls model(LinearOperator a, Vector y) {
        noNulls("Irls.model", "a", a, "y", y);
        return new Irls(a, y, true);
    }

    /**
     * Returns the solver that minimises |y − A x|₁ + ε |x|₁ (PyLops' {@code kind="datamodel"}).
     *
     * @param epsilon weight of the model, above 0
     */
    public static Irls dataAndModel(LinearOperator a, Vector y, double epsilon) {
        noNulls("Irls.dataAndModel", "a", a, "y", y);
        LinearOperator identity = Identity.of(a.backend(), a.domain(), a.type());
        Vector none = a.backend().vector(a.domain(), y.type());
        Irls both = new Irls(VStack.of(a, identity.times(epsilon)), StackedArray.of(y, none), false);
        both.positive("epsilon", epsilon);
        return both.epsilon(0);
    }

    @Override
    Irls self() {
        return this;
    }

    /** Sets δ, PyLops' {@code epsR}; 10⁻¹⁰ unless set. */
    public Irls delta(double number) {
        delta = positive("delta", number);
        return this;
    }

    /** Makes the weights 1 / max(|r|, δ), PyLops' {@code threshR}. */
    public Irls threshold() {
        threshold = true;
        return this;
    }

    /** Sets ε, PyLops' {@code epsI}; 10⁻¹⁰ unless set. */
    public Irls epsilon(double weight) {
        epsilon = notNegative("epsilon", weight);
        return this;
    }

    /** Sets the number of inner iterations; 10 unless set. */
    public Irls inner(int iterations) {
        inner = atLeastOne("inner iterations", iterations);
        return this;
    }

    /** Begins inner iterations at the last x instead of zeros; for weights of data. */
    public Irls warm() {
        if (ofModel) {
            throw new IllegalArgumentException(name() + ": inner iterations for a sparse model begin at zeros");
        }
        warm = true;
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    // Calculations

    private static void weights(F64Ptr numbers, F64Ptr epsilon, F64Ptr none) {
        numbers.set(0, 1);
        numbers.set(2, epsilon.get(0) * epsilon.get(0));
    }

    private static double bounded(double modulus, F64Ptr parameters) {
        double delta = parameters.get(0);
        return parameters.get(1) == 0 ? modulus + delta : Math.max(modulus, delta);
    }

    private static double ofResidual(double modulus, double smallest, F64Ptr parameters) {
        return Math.sqrt(bounded(smallest, parameters) / bounded(modulus, parameters));
    }

    private static double ofModel(double modulus, double largest, F64Ptr parameters) {
        return largest == 0 ? 0 : Math.sqrt(modulus / largest);
    }

    private final class Steps extends SplittingSteps {
        private final Vector candidate;
        /** Roots of the weights, with any direction, and their conjugates. */
        private final Vector w;

        private final Vector conjugate;
        private final Vector right;
        private final Vector image;
        private final LeastSquaresStep solve;
        private final Pointwise replace;
        private final Pointwise residual;
        private final OrderStatistic edge;
        private final Pointwise weigh;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            candidate = scratch(x);
            Vector weighed = ofModel ? x : range();
            image = ofModel ? scratch(x) : range();
            w = keep(scratch(weighed));
            conjugate = w.type().isComplex() ? scratch(w) : w;
            right = ofModel ? y : scratch(y);
            LinearOperator diagonal =
                    FunctionOperator.of(x.backend(), w.layout(), w.layout(), w.type(), times(w), times(conjugate));
            Coefficient damp = factor(0, epsilon);
            Vector zeros = scratch(x);
            solve = new LeastSquaresStep(
                    candidate,
                    new LeastSquaresStep.Term(ofModel ? a.times(diagonal) : diagonal.times(a), right),
                    new LeastSquaresStep.Term(null, zeros),
                    WEIGHTS,
                    damp,
                    state.buffer(),
                    inner);
            own(solve);
            replace = model(Pointwise.of(ofModel ? image : candidate));
            residual = ofModel
                    ? Pointwise.of(x)
                    : Pointwise.of(Coefficient.ONE, y, Coefficient.MINUS_ONE, image)
                            .into(image);
            edge = OrderStatistic.of(ofModel ? x : image, ofModel ? x.layout().size() - 1 : 0);
            Buffer parameters = x.backend().compute().buffer(DataType.FLOAT64, 2);
            parameters.copyFrom(HostArray.of(delta, threshold ? 1.0 : 0.0));
            Vector ones = scratch(w).fill(Coefficient.ONE);
            weigh = active(Pointwise.of(Coefficient.ONE, ofModel ? x : image, Coefficient.of(ofModel ? 0 : TINY), ones)
                            .radial(ofModel ? OF_MODEL : OF_RESIDUAL, edge.result(), parameters))
                    .into(w);
            ending(END);
        }

        private static BiConsumer<Vector, Vector> times(Vector factors) {
            return (u, v) -> v.multiply(factors, u);
        }

        @Override
        void start() {
            w.fill(Coefficient.ONE);
        }

        @Override
        void advance() {
            if (conjugate != w) {
                conjugate.assign(w).conjugate();
            }
            if (warm) {
                candidate.assign(x);
            } else {
                candidate.fill(Coefficient.ZERO);
            }
            if (!ofModel) {
                right.multiply(w, y);
            }
            solve.run();
            if (ofModel) {
                image.multiply(w, candidate);
            }
            replace.run();
            if (!ofModel) {
                a.matvec(x, image);
                residual.run();
            }
            edge.run();
            weigh.run();
        }
    }
}
