// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.FunctionOperator;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.VStack;
import org.comm4j.operator.proximal.L1;
import org.comm4j.operator.proximal.L2;
import org.comm4j.operator.proximal.L21;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Solvers of sums of functions with proximal maps, by what they find. */
class SplittingTest {
    private static final int TRACES = 8;
    private static final int SAMPLES = 60;

    @TempDir
    Path folder;

    /** Blocks of log impedance. */
    private static DistributedArray blocky(Backend backend, Layout plane) {
        double[] model = new double[TRACES * SAMPLES];
        for (int i = 0; i < model.length; i++) {
            int trace = i / SAMPLES;
            int sample = i % SAMPLES;
            model[i] = sample < 20 ? 1 : sample < 38 + trace / 3 ? 1.6 : 1.2;
        }
        return backend.of(plane, model);
    }

    /** The running mean of 15 samples of each trace, as what velocities tell. */
    private static DistributedArray smooth(Backend backend, Layout plane, DistributedArray model) {
        double[] from = model.toHost().toDoubleArray();
        double[] to = new double[from.length];
        for (int i = 0; i < to.length; i++) {
            int first = Math.max(0, i % SAMPLES - 7) + i / SAMPLES * SAMPLES;
            int last = Math.min(SAMPLES - 1, i % SAMPLES + 7) + i / SAMPLES * SAMPLES;
            for (int k = first; k <= last; k++) {
                to[i] += from[k] / (last - first + 1);
            }
        }
        return backend.of(plane, to);
    }

    private static Vector noisy(Backend backend, Vector data, double level) {
        DistributedArray noise = backend.random(data.layout(), data.type(), 5);
        noise.axpy(-0.5, backend.full(data.layout(), data.type(), 1));
        return data.like().assign(data).axpy(level, noise);
    }

    /** One-sided differences: those of {@link org.comm4j.operator.Gradient} do not see what alternates. */
    private static LinearOperator differences(Backend backend, Layout plane) {
        return VStack.of(difference(backend, plane, 0), difference(backend, plane, 1));
    }

    private static LinearOperator difference(Backend backend, Layout plane, int axis) {
        return FirstDerivative.of(backend, plane, axis)
                .kind(DerivativeKind.FORWARD)
                .dtype(DataType.FLOAT64)
                .build();
    }

    /** Post-stack inversion of a blocky model: total variation is nearer to it than least squares at their best. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void totalVariationBeatsLeastSquares(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout plane = backend.scattered(0, TRACES, SAMPLES);
            LinearOperator m =
                    PoststackLinearModelling.of(backend, plane, Wavelets.ricker(0.004, 25, 30), DataType.FLOAT64);
            LinearOperator d = differences(backend, plane);
            DistributedArray truth = blocky(backend, plane);
            Vector data = noisy(backend, m.times(truth), 0.1);
            DistributedArray background = smooth(backend, plane, truth);
            double scale = truth.norm();
            double[] best = {Double.MAX_VALUE};
            Cgls.of(m, data)
                    .start(background)
                    .iterations(40)
                    .callback(run ->
                            best[0] = Math.min(best[0], run.x().minus(truth).norm() / scale))
                    .solve();
            Vector dual = PrimalDual.of(L2.of(m, data).iterations(8).warm(), L21.of(d.range(), 0.02), d)
                    .start(background)
                    .tau(1)
                    .mu(1.0 / 8)
                    .iterations(150)
                    .solve();
            Vector multipliers = AdmmL2.of(L21.of(d.range(), 0.02), m, data, d)
                    .start(background)
                    .inner(8)
                    .iterations(100)
                    .solve();
            assertThat(dual.minus(truth).norm() / scale).isLessThan(0.4 * best[0]);
            assertThat(multipliers.minus(truth).norm() / scale).isLessThan(0.4 * best[0]);
        });
    }

    /** ½ |x − b|² + 0.3 |x|₁ has the soft threshold of b as its minimum. */
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void solutionsAreKnown(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT32, DataType.COMPLEX128}) {
                Layout layout = backend.scattered(0, 7);
                Vector b = backend.random(layout, type, 3);
                LinearOperator identity = Identity.of(backend, layout, type);
                Vector expected = L1.of(0.3).prox(b, 1);
                for (Solver solver : List.of(
                        PrimalDual.of(L2.of(b, 1), L1.of(0.3), identity)
                                .start(b)
                                .solver(),
                        PrimalDual.of(L2.of(identity, b), L1.of(0.3), identity)
                                .primalFirst()
                                .solver(),
                        AdmmL2.of(L1.of(0.3), identity, b, identity).solver())) {
                    Vector x = solver.iterations(100).tolerance(1e-7).solve();
                    assertThat(x.minus(expected).norm()).isLessThan(1e-5);
                    assertThat(solver.result().reason()).isEqualTo(StopReason.CONVERGED);
                    assertThat(solver.result().message()).contains("change");
                }
            }
        });
    }

    private static List<Solver> solvers(Backend backend) {
        Layout plane = backend.scattered(0, 6, 5);
        DistributedArray b = backend.random(plane, DataType.FLOAT64, 3);
        LinearOperator m = Diagonal.of(backend.random(plane, DataType.FLOAT64, 4));
        LinearOperator d = differences(backend, plane);
        return List.of(
                PrimalDual.of(L2.of(m, b).iterations(2).warm(), L21.of(d.range(), 0.1), d)
                        .tau(0.3)
                        .mu(0.4)
                        .solver()
                        .tolerance(1e-3),
                PrimalDual.of(L2.of(b, 2), L1.of(0.1), d).mu(0.1).start(b).solver(),
                AdmmL2.of(L21.of(d.range(), 0.1), m, b, d).inner(2).solver().tolerance(1e-2),
                Ista.of(m, b).decay(2, 1.5, 1.2, 1.1).solver(),
                Fista.of(m, b).alpha(0.5).solver(),
                Fista.of(m, b).alpha(0.5).percentile(40).solver(),
                ProximalPoint.of(L1.of(0.03), b).solver(),
                ProximalGradient.of(L2.of(m, b), L1.of(0.1), b).fista().solver(),
                ProximalGradient.of(L2.of(m, b), L1.of(0.1), b)
                        .tau(0.9)
                        .vandenberghe()
                        .solver(),
                Admm.of(L2.of(m, b).iterations(3), L1.of(0.1), b).solver().tolerance(1e-3),
                Admm.of(L2.of(b, 1), L1.of(0.1), b).gFirst().solver(),
                ConsensusAdmm.of(b, L2.of(m, b).iterations(3), L1.of(0.1), L1.of(0.2))
                        .solver(),
                LinearizedAdmm.of(L2.of(b, 1), L21.of(d.range(), 0.1), d)
                        .mu(0.1)
                        .solver(),
                AdaptivePrimalDual.of(L2.of(b, 1), L21.of(d.range(), 0.1), d)
                        .mu(0.1)
                        .start(b)
                        .solver(),
                Irls.data(m, b).warm().inner(2).solver(),
                Irls.model(m, b).inner(2).solver(),
                SplitBregman.of(m, b).l1(d, 0.1).inner(2, 3).solver());
    }

    private static byte[] bytes(Vector x) {
        return x.arrays().getFirst().part().toHost().segment().toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void restartsAndGroupsAreEqualToTheBit(int ranks) {
        Ranks.run(ranks, backend -> {
            for (int i = 0; i < solvers(backend).size(); i++) {
                Solver whole = solvers(backend).get(i).iterations(15);
                byte[] expected = bytes(whole.solve());
                Path file = folder.resolve("s" + i);
                Solver first = solvers(backend).get(i).iterations(6).checkpoint(file, 2);
                assertThat(first.solve()).isNotNull();
                Solver second = solvers(backend).get(i).iterations(15).restart(file);
                assertThat(bytes(second.solve()))
                        .as("solver %d, %s", i, second.name())
                        .isEqualTo(expected);
                assertThat(second.result().costs()).isEqualTo(whole.result().costs());
                Solver ahead = solvers(backend).get(i).iterations(15).ahead(4);
                assertThat(bytes(ahead.solve()))
                        .as("solver %d, %s", i, ahead.name())
                        .isEqualTo(expected);
                assertThat(ahead.result().iterations()).isEqualTo(whole.result().iterations());
            }
        });
    }

    @Test
    void iterationsAllocateNothing() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Ranks.run(1, backend -> {
            Layout line = backend.scattered(0, 30);
            Layout pair = Layout.stacked(line, line);
            LinearOperator a = FunctionOperator.of(
                    backend, pair, pair, DataType.FLOAT64, (u, v) -> v.assign(u), (u, v) -> v.assign(u));
            Vector b = backend.vector(pair, DataType.FLOAT64).fill(Coefficient.ONE);
            Vector random = backend.vector(pair, DataType.FLOAT64);
            random.arrays().getFirst().assign(backend.random(line, DataType.FLOAT64, 2));
            L2 f = L2.of(a, b).warm();
            L21 g = L21.of(pair, 0.1);
            for (Solver solver : List.of(
                    PrimalDual.of(f, g, a).solver(),
                    AdmmL2.of(g, a, b, a).solver(),
                    ProximalPoint.of(g, b).solver(),
                    ProximalGradient.of(f, g, b).tau(0.5).fista().solver(),
                    Admm.of(f, g, b).solver(),
                    ConsensusAdmm.of(b, f, g).solver(),
                    LinearizedAdmm.of(f, g, a).solver(),
                    AdaptivePrimalDual.of(f, g, a).solver(),
                    Irls.model(a, b).solver(),
                    Irls.data(a, b).solver(),
                    SplitBregman.of(a, b).l1(a, 0.1).solver(),
                    Fista.of(a, random).alpha(0.1).percentile(40).solver())) {
                try (Iteration run = solver.iterations(30).setup()) {
                    assertThat(run.step() && run.step())
                            .as("%s: %s", solver.name(), run.result())
                            .isTrue();
                    // The JVM itself may allocate once, when it links a call.
                    long least = Long.MAX_VALUE;
                    for (int round = 0; round < 3; round++) {
                        long before = threads.getCurrentThreadAllocatedBytes();
                        boolean made = run.step() && run.step() && run.step();
                        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                        assertThat(made).isTrue();
                    }
                    assertThat(least).as(solver.name()).isZero();
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void badInputIsNamed(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            Vector b = backend.random(layout, DataType.FLOAT64, 3);
            LinearOperator a = Diagonal.of(backend.of(layout, 1, 2, 3, 4));
            PrimalDual solver = PrimalDual.of(L2.of(b, 1), L1.of(0.3), a);
            assertThatThrownBy(() -> solver.tau(0)).hasMessageContaining("tau 0.0");
            assertThatThrownBy(() -> solver.mu(-1)).hasMessageContaining("mu -1.0");
            assertThatThrownBy(() -> solver.theta(1.5)).hasMessageContaining("theta 1.5");
            assertThatThrownBy(() -> solver.iterations(2).damp(1).solve()).hasMessageContaining("damping");
            int[] calls = {0};
            LinearOperator broken = FunctionOperator.of(
                    backend,
                    layout,
                    layout,
                    DataType.FLOAT64,
                    (u, v) -> v.assign(u).scale(Coefficient.of(++calls[0] > 13 ? Double.NaN : 1)),
                    (u, v) -> v.assign(u));
            Solver nan = PrimalDual.of(L2.of(b, 1), L1.of(0.3), broken).iterations(50);
            nan.solve();
            assertThat(nan.result().reason()).isEqualTo(StopReason.DIVERGED);
            assertThat(nan.result().message()).contains("NaN");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void numbersThatAreNotFiniteAreFound(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            Vector b = backend.random(layout, DataType.FLOAT64, 3);
            LinearOperator a = Diagonal.of(backend.of(layout, 1, 2, 3, 4));
            L1 l1 = L1.of(0.3);
            int[] calls = {0};
            LinearOperator broken = FunctionOperator.of(
                    backend,
                    layout,
                    layout,
                    DataType.FLOAT64,
                    (u, v) -> v.assign(u).scale(Coefficient.of(++calls[0] > 30 ? Double.NaN : 1)),
                    (u, v) -> v.assign(u));
            for (Solver solver : new Solver[] {
                ProximalGradient.of(L2.of(broken, b), l1, b).solver(),
                ProximalGradient.of(L2.of(broken, b), l1, b).tau(0.3).fista().solver(),
                LinearizedAdmm.of(L2.of(b, 1), l1, broken).solver(),
                AdaptivePrimalDual.of(L2.of(b, 1), l1, broken).solver(),
                Irls.data(broken, b).solver(),
                SplitBregman.of(broken, b).l1(a, 1).solver()
            }) {
                calls[0] = 0;
                solver.iterations(50).solve();
                assertThat(solver.result().reason()).as(solver.name()).isEqualTo(StopReason.DIVERGED);
                assertThat(solver.result().message()).contains("NaN");
                assertThat(solver.result().iterations()).isLessThan(50);
            }
        });
    }
}
