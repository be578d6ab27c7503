// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.PointFunction;
import org.comm4j.math.Scalars;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proximal maps by what defines them: minimisers, Moreau's identity, firm non-expansiveness. */
class ProximalTest {
    private static final DataType[] TYPES = {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128
    };

    private static double tolerance(DataType type) {
        return Compute.real(type) == DataType.FLOAT64 ? 1e-12 : 1e-5;
    }

    /** Functions of one number whose map is that of each element. */
    private static Map<Proximal, DoubleUnaryOperator> scalar() {
        Map<Proximal, DoubleUnaryOperator> all = new LinkedHashMap<>();
        all.put(L1.of(0.4), v -> 0.4 * Math.abs(v));
        all.put(L2.of(0.4), v -> 0.2 * v * v);
        all.put(Huber.of(0.3), v -> Math.abs(v) <= 0.3 ? v * v / 0.6 : Math.abs(v) - 0.15);
        all.put(Log.of(0.4, 3), v -> 0.4 / Math.log(4) * Math.log(3 * Math.abs(v) + 1));
        all.put(Box.of(-0.2, 0.6), v -> v >= -0.2 && v <= 0.6 ? 0 : 1e9);
        all.put(L1.of(0.4).precomposition(-2, 0.5), v -> 0.4 * Math.abs(-2 * v + 0.5));
        all.put(Huber.of(0.3).times(3), v -> 3 * (Math.abs(v) <= 0.3 ? v * v / 0.6 : Math.abs(v) - 0.15));
        return all;
    }

    private static double golden(DoubleUnaryOperator f, double from, double to) {
        double ratio = (Math.sqrt(5) - 1) / 2;
        double a = from;
        double b = to;
        while (b - a > 1e-9) {
            double left = b - ratio * (b - a);
            double right = a + ratio * (b - a);
            if (f.applyAsDouble(left) < f.applyAsDouble(right)) {
                b = right;
            } else {
                a = left;
            }
        }
        return (a + b) / 2;
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void mapsMinimise(int ranks) {
        Ranks.run(ranks, backend -> {
            DistributedArray x = backend.random(backend.scattered(0, 11), DataType.FLOAT64, 5);
            x.scale(Coefficient.of(3)).axpy(-1.5, backend.full(x.layout(), DataType.FLOAT64, 1));
            double[] numbers = x.toHost().toDoubleArray();
            scalar().forEach((f, formula) -> {
                double[] map = whole(f.prox(x, 0.7)).toDoubleArray();
                double sum = 0;
                for (int i = 0; i < numbers.length; i++) {
                    double u = numbers[i];
                    sum += formula.applyAsDouble(u);
                    DoubleUnaryOperator objective = v -> formula.applyAsDouble(v) + (v - u) * (v - u) / 1.4;
                    double best = Double.POSITIVE_INFINITY;
                    // Not all are convex: each piece between places where a minimum may be has one of its own.
                    double[] ends = {-4, -0.6, 0, 0.25, 0.6, 4};
                    for (int k = 0; k + 1 < ends.length; k++) {
                        best = Math.min(best, objective.applyAsDouble(golden(objective, ends[k], ends[k + 1])));
                    }
                    assertThat(objective.applyAsDouble(map[i]))
                            .as("%s of %s", f, u)
                            .isLessThan(best + 1e-9);
                }
                double value = f.value(x);
                assertThat(value).isEqualTo(sum > 1e8 ? Double.POSITIVE_INFINITY : sum, within(1e-10));
            });
        });
    }

    /** Convex functions for any vectors. */
    private static List<Proximal> convex(Backend backend, Layout layout, DataType type) {
        List<Proximal> all = new ArrayList<>(List.of(
                L1.of(0.4),
                L2.of(0.4),
                L2.of(random(backend, layout, type, 30), 0.7),
                Huber.of(0.2),
                Euclidean.of(0.6),
                Euclidean.ball(0.8),
                L1Ball.of(0.9),
                HalfSpace.of(random(backend, layout, type, 50), 0.3),
                Quadratic.of(random(backend, layout, type, 50), 0.3),
                Huber.of(0.2).plus(random(backend, layout, type, 50)),
                L1.of(0.4).precomposition(2, random(backend, layout, type, 60)),
                L1.of(0.4).precomposition(2, -0.5).times(0.3)));
        if (layout.partition() == Partition.STACKED) {
            all.add(L21.of(layout, 0.4));
            all.add(L21PlusL1.of(layout, 0.7, 0.3));
        }
        if (!type.isComplex()) {
            all.add(Box.of(0.1, 0.4));
        }
        if (layout.partition() == Partition.STACKED) {
            Proximal[] each = new Proximal[layout.members().size()];
            for (int i = 0; i < each.length; i++) {
                each[i] = i == 0 ? Euclidean.of(0.5) : L1.of(0.2 * i);
            }
            all.add(SeparableSum.of(each));
        } else if (type == DataType.FLOAT64 && layout.ndim() == 2) {
            all.add(TV.of(0.3).iterations(800));
        }
        return all;
    }

    private static Vector random(Backend backend, Layout layout, DataType type, long seed) {
        Vector vector = backend.vector(layout, type);
        for (int i = 0; i < vector.arrays().size(); i++) {
            DistributedArray array = vector.arrays().get(i);
            array.assign(backend.random(array.layout(), type, seed + i));
        }
        return vector;
    }

    private static HostArray whole(Vector x) {
        return x.arrays().getFirst().toHost();
    }

    /**
     * ⟨p − q, x − y⟩ ≥ |p − q|² for the maps p and q of x and y; and x is the map plus τ times that of the conjugate.
     */
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void identities(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout line = backend.scattered(0, 7);
            List<Layout> layouts = List.of(
                    line,
                    backend.scattered(1, 3, 4),
                    backend.replicated(5),
                    Layout.stacked(line, line, line),
                    Layout.stacked(backend.replicated(5), backend.replicated(5)));
            for (DataType type : TYPES) {
                for (Layout layout : layouts) {
                    Vector x = random(backend, layout, type, 1);
                    Vector y = random(backend, layout, type, 11);
                    for (Proximal f : convex(backend, layout, type)) {
                        String what = f + " of " + type + " in " + layout;
                        Vector p = f.prox(x, 0.7);
                        Vector q = f.prox(y, 0.7);
                        Vector difference = p.minus(q);
                        double squared = difference.norm() * difference.norm();
                        assertThat(difference.vdot(x.minus(y)).real())
                                .as(what)
                                .isGreaterThan(squared - 10 * tolerance(type));
                        // The map of f* with 0.7 at x is x − 0.7 prox of f / 0.7 at x / 0.7.
                        Vector conjugate = f.proxdual(x, 0.7);
                        Vector own = f.prox(x.times(1 / 0.7), 1 / 0.7);
                        conjugate.axpy(0.7, own);
                        assertThat(conjugate.minus(x).norm()).as(what).isLessThan(100 * tolerance(type));
                        double map = objective(f, p, x, 0.7);
                        for (double t : new double[] {0.5, 0.9, 1.1}) {
                            Vector other = p.times(t);
                            other.axpy(1 - t, q);
                            assertThat(objective(f, other, x, 0.7)).as(what).isGreaterThan(map - 100 * tolerance(type));
                        }
                    }
                }
            }
        });
    }

    private static double objective(Proximal f, Vector v, Vector x, double tau) {
        double distance = v.minus(x).norm();
        return f.value(v) + distance * distance / (2 * tau);
    }

    /** With enough iterations the map of a misfit is that of the normal equations, from zeros and from the last one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void mapsOfMisfitsAreSolutions(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : TYPES) {
                LinearOperator a = MatrixMult.of(backend.random(backend.local(6, 4), type, 3));
                Vector b = random(backend, a.range(), type, 7);
                Vector x = random(backend, a.domain(), type, 9);
                L2 f = L2.of(a, b, 0.6).iterations(30);
                Vector p = f.prox(x, 0.7);
                Vector slope = f.grad(p, p.like());
                slope.axpy(1 / 0.7, p.minus(x));
                assertThat(slope.norm()).isLessThan(100 * tolerance(type));
                Vector result = x.like();
                try (Step warm = L2.of(a, b, 0.6)
                        .iterations(2)
                        .warm()
                        .prepare(Pointwise.of(x).into(result), Coefficient.of(0.7))) {
                    for (int i = 0; i < 10; i++) {
                        warm.run();
                    }
                }
                assertThat(result.minus(p).norm()).isLessThan(1000 * tolerance(type));
                assertThatThrownBy(() -> L2.of(a, x)).hasMessageContaining("range");
            }
        });
    }

    /**
     * What a map has around it: another factor in each run, a second result, sums, and nothing where it is not active.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void updatesAroundMaps(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 9);
            Vector x = random(backend, layout, DataType.FLOAT64, 1);
            Vector y = random(backend, layout, DataType.FLOAT64, 2);
            Scalars numbers = backend.compute().scalars(2);
            for (Proximal f : convex(backend, layout, DataType.FLOAT64)) {
                Vector target = random(backend, layout, DataType.FLOAT64, 3);
                Vector old = target.like().assign(target);
                Vector second = y.like().assign(y);
                Dots sums = Dots.given(backend);
                numbers.get(0).set(0);
                try (Step step = f.prepare(
                        Pointwise.of(Coefficient.of(2), x, Coefficient.of(-0.5), second)
                                .into(target)
                                .second(second, Coefficient.of(1.5), Coefficient.of(-0.5), Coefficient.of(0.25))
                                .active(numbers.get(0))
                                .sums(PointFunction.SQUARE, sums, 0),
                        numbers.get(1))) {
                    numbers.get(1).set(0.3);
                    step.run();
                    assertThat(target.minus(old).norm() + second.minus(y).norm())
                            .isZero();
                    numbers.get(0).set(1);
                    step.run();
                }
                Vector u = x.times(2).axpy(-0.5, y);
                Vector p = f.prox(u, 0.3);
                assertThat(target.minus(p).norm()).as("%s", f).isLessThan(1e-13);
                Vector expected = p.times(1.5).axpy(-0.5, old).axpy(0.25, u);
                assertThat(second.minus(expected).norm()).as("%s", f).isLessThan(1e-13);
                sums.reduce();
                assertThat(sums.real(0)).isEqualTo(p.norm() * p.norm(), within(1e-12));
                double change = p.minus(old).norm();
                assertThat(sums.imaginary(0)).isEqualTo(change * change, within(1e-12));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void badInputIsNamed(int ranks) {
        Ranks.run(ranks, backend -> {
            Vector x = random(backend, backend.scattered(0, 5), DataType.FLOAT64, 1);
            Vector z = random(backend, backend.scattered(0, 5), DataType.COMPLEX128, 1);
            assertThatThrownBy(() -> L1.of(1).prox(x, 0)).hasMessageContaining("tau 0.0");
            assertThatThrownBy(() -> L1.of(1).proxdual(x, -1)).hasMessageContaining("tau -1.0");
            assertThatThrownBy(() -> L1.of(-1)).hasMessageContaining("sigma -1.0");
            assertThatThrownBy(() -> Box.of(0, 1).prox(z, 1)).hasMessageContaining("real");
            assertThatThrownBy(() -> Box.of(1, 0)).hasMessageContaining("between");
            assertThatThrownBy(() -> Huber.of(0)).hasMessageContaining("alpha 0.0");
            assertThatThrownBy(() -> L21PlusL1.of(x.layout(), 1, 2)).hasMessageContaining("rho 2.0");
            assertThatThrownBy(() -> L21.of(backend.scattered(0, 4), 1).prox(x, 1))
                    .hasMessageContaining("layout");
            assertThatThrownBy(() -> L1.of(1).grad(x, x.like())).hasMessageContaining("no gradient");
            assertThatThrownBy(() -> L1.of(1).precomposition(0, 1)).hasMessageContaining("must not be 0");
            for (Proximal f : List.of(L1.of(1), L0.of(1), Huber.of(1), Log.of(1, 2), Box.of(0, 1), Euclidean.of(1))) {
                Vector broken = x.like().fill(Coefficient.of(Double.NaN));
                assertThat(f.prox(broken, 1).norm()).as("%s", f).isNaN();
            }
        });
    }
}
