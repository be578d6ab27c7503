// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Projections and maps with inner iterations, beside sorting and what a solution has to fulfil. */
class ProjectionTest {
    private static double[] numbers(Vector x) {
        return x.arrays().getFirst().toHost().toDoubleArray();
    }

    /** Returns the threshold of a simplex projection by sorting, which the elements above it have as their excess. */
    private static double sorted(double radius, double... values) {
        double[] ascending = values.clone();
        Arrays.sort(ascending);
        double sum = 0;
        double level = 0;
        for (int k = 1; k <= ascending.length; k++) {
            double next = ascending[ascending.length - k];
            sum += next;
            double candidate = (sum - radius) / k;
            if (next > candidate) {
                level = candidate;
            }
        }
        return level;
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void simplexAndBallAreThoseOfSorting(int ranks) {
        Ranks.run(ranks, backend -> {
            for (int n : new int[] {1, 2, 50}) {
                Layout line = backend.scattered(0, n);
                DistributedArray x = backend.random(line, DataType.FLOAT64, 5 + n);
                x.scale(Coefficient.of(3)).axpy(-1.5, backend.full(line, DataType.FLOAT64, 1));
                double[] from = numbers(x);
                double[] moduli = Arrays.stream(from).map(Math::abs).toArray();
                for (double radius : new double[] {0.01, 0.7, 40}) {
                    double level = sorted(radius, from);
                    double[] map = numbers(Simplex.of(radius).prox(x, 0.7));
                    double ball = Math.max(0, sorted(radius, moduli));
                    double[] inBall = numbers(L1Ball.of(radius).prox(x, 0.7));
                    for (int i = 0; i < n; i++) {
                        assertThat(map[i]).isEqualTo(Math.max(0, from[i] - level), within(1e-13 * (1 + radius)));
                        double kept = Math.signum(from[i]) * Math.max(0, moduli[i] - ball);
                        assertThat(inBall[i]).isEqualTo(kept, within(1e-13));
                    }
                    assertThat(Simplex.of(radius).value(Simplex.of(radius).prox(x, 1)))
                            .isZero();
                }
                assertThat(Simplex.of(1e3).value(x)).isInfinite();
            }
        });
    }

    /** Of equal moduli the first ones stay, whatever rank has them. */
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void largestElementsStay(int ranks) {
        Ranks.run(ranks, backend -> {
            double[] from = {0.5, -2, 1, 2, 0, -1, 1, 7e-310, 1, -3};
            Vector x = backend.of(backend.scattered(0, from.length), from);
            double[] kept = {0.5, -2, 1, 2, 0, -1, 1, 0, 1, -3};
            int[] order = {9, 1, 3, 2, 5, 6, 8, 0, 7, 4};
            for (int most = 0; most <= 11; most++) {
                double[] expected = new double[from.length];
                for (int i = 0; i < Math.min(most, from.length); i++) {
                    expected[order[i]] = i < 8 ? kept[order[i]] : from[order[i]];
                }
                Vector map = L0Ball.of(most).prox(x, 1);
                assertThat(numbers(map)).as("%d elements", most).containsExactly(expected);
                assertThat(L0Ball.of(most).value(map)).isZero();
            }
            assertThat(L0Ball.of(8).value(x)).isInfinite();
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void percentilesAreThoseOfSorting(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
                DistributedArray x = backend.random(backend.scattered(0, 13), type, 3);
                double[] moduli =
                        numbers(backend.zeros(x.layout(), DataType.FLOAT64).assign(x));
                Arrays.sort(moduli);
                for (double percent : new double[] {0, 3, 50, 77.7, 100}) {
                    double number = 12 * (percent / 100);
                    int lower = (int) number;
                    double upper = moduli[Math.min(12, lower + 1)];
                    OrderStatistic statistic = OrderStatistic.percentile(x, percent);
                    statistic.run();
                    assertThat(statistic.result().real())
                            .isEqualTo(moduli[lower] + (upper - moduli[lower]) * (number - lower), within(1e-15));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void innerIterationsSolve(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX128}) {
                LinearOperator a = MatrixMult.of(backend.random(backend.local(3, 5), type, 3));
                Vector b = a.times(backend.random(backend.local(5), type, 4));
                Vector x = backend.random(backend.local(5), type, 5);
                AffineSet set = AffineSet.of(a, b).iterations(12);
                Vector p = set.prox(x, 0.7);
                assertThat(a.times(p).minus(b).norm()).isLessThan(1e-11);
                assertThat(set.value(p)).isZero();
                assertThat(set.value(x)).isInfinite();
                // What the projection has changed is orthogonal to all that A maps to 0.
                Vector other = set.prox(backend.random(backend.local(5), type, 6), 1);
                assertThat(x.minus(p).vdot(other.minus(p)).abs()).isLessThan(1e-11);
                Vector linear = backend.random(backend.local(5), type, 7);
                Quadratic f = Quadratic.of(a.H().times(a), linear, 2).iterations(12);
                Vector q = f.prox(x, 0.7);
                Vector slope = f.grad(q, q.like());
                assertThat(slope.axpy(1 / 0.7, q.minus(x)).norm()).isLessThan(1e-11);
                double image = a.times(x).norm();
                assertThat(f.value(x))
                        .isEqualTo(image * image / 2 + linear.vdot(x).real() + 2, within(1e-12));
            }
            Vector real = backend.random(backend.scattered(0, 5), DataType.COMPLEX128, 1);
            assertThatThrownBy(() -> Simplex.of(1).prox(real, 1)).hasMessageContaining("real");
            assertThatThrownBy(() -> Simplex.of(0)).hasMessageContaining("sum 0.0");
            assertThatThrownBy(() -> L1Ball.of(-1)).hasMessageContaining("radius -1.0");
            assertThatThrownBy(() -> L0Ball.of(-1)).hasMessageContaining("-1 elements");
            assertThatThrownBy(() -> HalfSpace.of(real.like(), 1)).hasMessageContaining("|w| = 0.0");
            assertThatThrownBy(() -> SeparableSum.of(L1.of(1), L1.of(1)).prox(real, 1))
                    .hasMessageContaining("2 functions");
            assertThatThrownBy(() -> OrderStatistic.percentile(real, 101)).hasMessageContaining("101.0");
        });
    }
}
