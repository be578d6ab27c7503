// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.Eigenpair;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.proximal.Box;
import org.comm4j.operator.proximal.L1;
import org.comm4j.operator.proximal.L2;
import org.comm4j.operator.proximal.Proximal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Solvers by the conditions of the optimum that they find (Karush, Kuhn and Tucker), on any number of ranks. */
class OptimumTest {
    private static final double LAMBDA = 0.4;

    private static final DataType[] BOTH = {DataType.FLOAT64, DataType.COMPLEX128};

    /** Blocks of 9 × 6 on each rank, with a norm of about 4. */
    private static LinearOperator blocks(Backend backend, DataType type) {
        return BlockDiag.of(backend, MatrixMult.of(backend.random(backend.local(9, 6), type, 7 + backend.rank())));
    }

    private static DistributedArray only(Vector x) {
        return x.arrays().getFirst();
    }

    private static double[] numbers(Vector x) {
        return only(x).toHost().toDoubleArray();
    }

    /** Solvers of ½ |A x − b|² + λ |x|₁, and how many iterations they need. */
    private static Map<Solver, Integer> lasso(LinearOperator a, Vector b) {
        Vector zeros = a.backend().vector(a.domain(), b.type());
        double shortest = b.type().isComplex() ? 0.025 : 0.05;
        Proximal l1 = L1.of(LAMBDA);
        L2 f = L2.of(a, b);
        L2 solved = L2.of(a, b).iterations(20).warm();
        LinearOperator identity = Identity.of(a.backend(), a.domain(), b.type());
        Map<Solver, Integer> all = new LinkedHashMap<>();
        all.put(ProximalGradient.of(f, l1, zeros).tau(1.5 * shortest).solver(), 1500);
        all.put(ProximalGradient.of(f, l1, zeros).tau(shortest).fista().solver(), 800);
        all.put(ProximalGradient.of(f, l1, zeros).tau(shortest).vandenberghe().solver(), 800);
        all.put(
                ProximalGradient.of(f, l1, zeros)
                        .tau(1.5 * shortest)
                        .relaxation(0.7)
                        .solver(),
                2000);
        all.put(ProximalGradient.of(f, l1, zeros).solver(), 2500);
        all.put(ProximalGradient.of(f, l1, zeros).backtracking(0.7).fista().solver(), 800);
        all.put(Admm.of(solved, l1, zeros).tau(0.3).solver(), 300);
        all.put(Admm.of(solved, l1, zeros).tau(0.3).gFirst().solver(), 300);
        all.put(
                ConsensusAdmm.of(zeros, solved, L1.of(LAMBDA / 4), L1.of(3 * LAMBDA / 4))
                        .tau(0.3)
                        .solver(),
                600);
        all.put(LinearizedAdmm.of(solved, l1, identity).tau(0.5).mu(0.4).solver(), 500);
        all.put(AdaptivePrimalDual.of(solved, l1, identity).tau(0.9).mu(0.9).solver(), 500);
        all.put(SplitBregman.of(a, b).l1(identity, LAMBDA, 3).inner(2, 20).solver(), 200);
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void sparseModelsAreOptimal(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : ranks == 1 ? BOTH : new DataType[] {DataType.FLOAT64}) {
                LinearOperator a = blocks(backend, type);
                Vector b = backend.random(a.range(), type, 3);
                double scale = a.H().times(b).norm();
                lasso(a, b).forEach((solver, iterations) -> {
                    Vector x = solver.iterations(iterations).tolerance(1e-13).solve();
                    // x is the map of what a step along the gradient makes of it.
                    Vector step = a.H().times(b.minus(a.times(x))).plus(x);
                    double distance = L1.of(LAMBDA).prox(step, 1).minus(x).norm();
                    assertThat(distance / scale)
                            .as("%s of %s: %s", solver.name(), type, solver.result())
                            .isLessThan(1e-7);
                    assertThat(x.norm()).isGreaterThan(0.1);
                });
            }
        });
    }

    /** Solvers of ½ |x − b|² + λ |D x|₁. */
    private static Map<Solver, Integer> denoising(LinearOperator d, Vector b) {
        LinearOperator identity = Identity.of(d.backend(), d.domain(), b.type());
        Map<Solver, Integer> all = new LinkedHashMap<>();
        all.put(LinearizedAdmm.of(L2.of(b, 1), L1.of(LAMBDA), d).tau(1).mu(0.25).solver(), 3000);
        all.put(
                AdaptivePrimalDual.of(L2.of(b, 1), L1.of(LAMBDA), d)
                        .tau(0.4)
                        .mu(0.6)
                        .solver(),
                2000);
        all.put(SplitBregman.of(identity, b).l1(d, LAMBDA, 2).inner(1, 12).solver(), 500);
        all.put(
                SplitBregman.of(identity, b)
                        .mu(0.5)
                        .l2(identity, 0.5, b)
                        .l1(d, LAMBDA)
                        .tau(0.8)
                        .inner(1, 12)
                        .solver(),
                900);
        return all;
    }

    /**
     * The sums of x − b from the first element on are within ± λ, at a bound where x jumps, with the sign of the jump,
     * and 0 at the end.
     */
    @ParameterizedTest
    @ValueSource(ints = 2)
    void totalVariationIsOptimal(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout line = backend.scattered(0, 23);
            LinearOperator d = FirstDerivative.of(backend, line, 0)
                    .kind(DerivativeKind.FORWARD)
                    .dtype(DataType.FLOAT64)
                    .build();
            DistributedArray b = backend.random(line, DataType.FLOAT64, 11);
            double[] data = numbers(b);
            denoising(d, b).forEach((solver, iterations) -> {
                double[] x =
                        numbers(solver.iterations(iterations).tolerance(1e-14).solve());
                double sum = 0;
                int jumps = 0;
                for (int i = 0; i < x.length; i++) {
                    sum += x[i] - data[i];
                    String where = solver.name() + " at " + i + ": " + solver.result();
                    double jump = i == x.length - 1 ? 0 : x[i + 1] - x[i];
                    if (i == x.length - 1) {
                        assertThat(sum).as(where).isEqualTo(0, within(1e-6));
                    } else if (Math.abs(jump) > 1e-5) {
                        jumps++;
                        assertThat(sum).as(where).isEqualTo(LAMBDA * Math.signum(jump), within(1e-6));
                    } else {
                        assertThat(Math.abs(sum)).as(where).isLessThan(LAMBDA + 1e-6);
                    }
                }
                assertThat(jumps).isBetween(1, 20);
            });
        });
    }

    @ParameterizedTest
    @ValueSource(ints = 2)
    void proximalPointsAreKnown(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator a = blocks(backend, DataType.FLOAT64);
            DistributedArray truth = backend.random(a.domain(), DataType.FLOAT64, 5);
            Vector b = a.times(truth);
            Vector x = ProximalPoint.of(L2.of(a, b).iterations(20), truth.like())
                    .tau(50)
                    .iterations(60)
                    .solve();
            assertThat(x.minus(truth).norm()).isLessThan(1e-8);
            // The nearest point of two boxes that overlap in one of the interval from 0.4 to 0.5.
            Vector both = ConsensusAdmm.of(truth, Box.of(0.1, 0.5), Box.of(0.4, 2), L2.of(truth, 1))
                    .iterations(300)
                    .solve();
            double[] from = numbers(truth);
            double[] to = numbers(both);
            for (int i = 0; i < from.length; i++) {
                assertThat(to[i]).isEqualTo(Math.clamp(from[i], 0.4, 0.5), within(1e-8));
            }
        });
    }

    /** Data with outliers give the model that they are of, and few data a sparse one. */
    @ParameterizedTest
    @ValueSource(ints = 2)
    void reweightingFindsWhatLeastSquaresMisses(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : BOTH) {
                LinearOperator a = BlockDiag.of(
                        backend, MatrixMult.of(backend.random(backend.local(16, 4), type, 7 + backend.rank())));
                DistributedArray truth = backend.random(a.domain(), type, 5);
                Vector y = a.times(truth);
                double[] outliers = new double[(int) y.layout().size()];
                for (int i = 2; i < outliers.length; i += 7) {
                    outliers[i] = 10 - i;
                }
                Vector wrong = y.like();
                wrong.assign(backend.of(y.layout(), outliers));
                y.axpy(1, wrong);
                for (Irls irls :
                        new Irls[] {Irls.data(a, y), Irls.data(a, y).threshold().warm(), Irls.dataAndModel(a, y, 1e-9)
                        }) {
                    Vector x = irls.delta(1e-9).inner(12).iterations(60).solve();
                    assertThat(x.minus(truth).norm()).as(type.name()).isLessThan(1e-6);
                }
                assertThat(Cgls.of(a, y).iterations(30).solve().minus(truth).norm())
                        .isGreaterThan(0.1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void powerIterationsFindDominantEigenvalues(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout line = backend.scattered(0, 5);
            LinearOperator a = Diagonal.of(backend.of(line, 1, -3, 2, 0.5, 1.5));
            Eigenpair negative =
                    PowerIteration.of(a).iterations(300).tolerance(1e-12).solve();
            assertThat(negative.value().real()).isEqualTo(-3, within(1e-9));
            assertThat(negative.iterations()).isLessThan(100);
            // A start that is an eigenvector of another eigenvalue stays there.
            Vector start = backend.of(line, 0, 0, 4, 0, 0);
            Eigenpair given = PowerIteration.of(a).start(start).solve();
            assertThat(given.value().real()).isEqualTo(2);
            assertThat(numbers(given.vector())).containsExactly(0, 0, 1, 0, 0);
            assertThat(numbers(start)).containsExactly(0, 0, 4, 0, 0);
            LinearOperator wide = blocks(backend, DataType.COMPLEX128);
            double square = PowerIteration.ofNormal(wide)
                    .seed(3)
                    .iterations(500)
                    .tolerance(1e-12)
                    .solve()
                    .value()
                    .real();
            double other = PowerIteration.ofNormal(wide.H())
                    .iterations(500)
                    .tolerance(1e-12)
                    .solve()
                    .value()
                    .real();
            assertThat(square).isEqualTo(other, within(1e-8 * square));
            assertThatThrownBy(() -> PowerIteration.of(a).start(start.like()).solve())
                    .hasMessageContaining("norm 0.0");
            assertThatThrownBy(() -> PowerIteration.of(wide).solve()).hasMessageContaining("does not map");
            assertThatThrownBy(() -> PowerIteration.of(a).iterations(0)).hasMessageContaining("0 iterations");
            assertThatThrownBy(() -> PowerIteration.of(a).tolerance(-1)).hasMessageContaining("tolerance -1.0");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void badInputIsNamed(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            Vector b = backend.random(layout, DataType.FLOAT64, 3);
            LinearOperator a = Diagonal.of(backend.of(layout, 1, 2, 3, 4));
            Proximal l1 = L1.of(0.3);
            L2 f = L2.of(a, b);
            assertThatThrownBy(() -> ProximalPoint.of(l1, b).tau(0)).hasMessageContaining("tau 0.0");
            assertThatThrownBy(() -> Admm.of(f, l1, b).tau(Double.NaN)).hasMessageContaining("tau NaN");
            assertThatThrownBy(() -> LinearizedAdmm.of(f, l1, a).mu(-1)).hasMessageContaining("mu -1.0");
            assertThatThrownBy(() -> ConsensusAdmm.of(b)).hasMessageContaining("0 functions");
            assertThatThrownBy(() -> AdaptivePrimalDual.of(f, l1, a).adaption(1, 0.5))
                    .hasMessageContaining("share 1.0");
            assertThatThrownBy(() -> AdaptivePrimalDual.of(f, l1, a).balance(1, 0.5))
                    .hasMessageContaining("factor 0.5");
            assertThatThrownBy(() -> ProximalGradient.of(f, l1, b).backtracking(1))
                    .hasMessageContaining("factor 1.0");
            assertThatThrownBy(() -> ProximalGradient.of(f, l1, b).relaxation(2))
                    .hasMessageContaining("eta 2.0");
            assertThatThrownBy(() -> ProximalGradient.of(f, l1, b)
                            .fista()
                            .relaxation(0.5)
                            .iterations(2)
                            .solve())
                    .hasMessageContaining("exclude");
            assertThatThrownBy(() -> ProximalGradient.of(l1, f, b).iterations(2).solve())
                    .hasMessageContaining("no gradient");
            assertThatThrownBy(() -> Irls.model(a, b).warm()).hasMessageContaining("zeros");
            assertThatThrownBy(() -> Irls.data(a, b).delta(0)).hasMessageContaining("delta 0.0");
            assertThatThrownBy(() -> SplitBregman.of(a, b).iterations(2).solve())
                    .hasMessageContaining("1-norm");
            assertThatThrownBy(() -> SplitBregman.of(a, b).l1(a, -1)).hasMessageContaining("epsilon -1.0");
            assertThatThrownBy(() -> Fista.of(a, b).percentile(101)).hasMessageContaining("percentage 101.0");
            // A step that is too long is found out by what it does.
            Solver wild = ProximalGradient.of(f, l1, b).tau(1).iterations(300);
            wild.solve();
            assertThat(wild.result().reason()).isEqualTo(StopReason.DIVERGED);
            assertThat(wild.result().message()).contains("|x| grew").contains("steps are too long");
        });
    }
}
