// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.operator.Catalogue.Oracle;
import org.comm4j.test.Shrinking;

/**
 * A generated problem: an operator in a layout, of which the dot test, linearity, and in {@code FLOAT64} the matrix are
 * checked. A failing one is made smaller before it is told.
 *
 * @param seed of the vectors
 */
record Problem(Tree tree, Division division, DataType type, long seed) {
    /** The most problems that are tried in order to find the smallest one. */
    private static final int TRIALS = 400;

    /**
     * Checks problems on their number of ranks.
     *
     * @throws AssertionError with the smallest problem that fails as one of these does
     */
    static void check(int ranks, List<Problem> problems) {
        AtomicReference<Problem> failing = new AtomicReference<>();
        try {
            Ranks.run(ranks, backend -> problems.forEach(problem -> problem.check(backend, failing)));
        } catch (Throwable e) {
            Problem problem = failing.get();
            if (problem == null) {
                throw e;
            }
            if (Ranks.areProcesses()) {
                // The others are anywhere: nothing can be tried again.
                throw new AssertionError(problem + " failed: " + e.getMessage(), e);
            }
            Shrinking<Problem> found = Shrinking.of(problem, e, Problem::simpler, Problem::alone, TRIALS);
            throw new AssertionError(
                    found.problem() + " failed: " + found.failure().getMessage() + "\n(the smallest of "
                            + found.trials() + " tried after " + problem + ")",
                    found.failure());
        }
    }

    private void alone() {
        Ranks.run(division.ranks(), this::check);
    }

    private void check(Backend backend, AtomicReference<Problem> failing) {
        try {
            check(backend);
        } catch (Throwable e) {
            failing.compareAndSet(null, this);
            throw e;
        }
    }

    private void check(Backend backend) {
        Layout layout = division.layout(backend);
        LinearOperator operator = tree.make(backend, layout, type);
        double bar = Compute.real(type) == DataType.FLOAT64 ? 1e-12 : 1e-6;
        assertThat(operator.dottest(seed)).as("dot test").isLessThan(bar);
        linear(backend, operator, bar);
        if (tree.whole() && type == DataType.FLOAT64) {
            matrix(backend, layout, operator);
        }
    }

    /** A (2 x − 3 y) = 2 A x − 3 A y. */
    private static void linear(Backend backend, LinearOperator operator, double bar) {
        Vector x = backend.vector(operator.domain(), operator.type()).fill(Coefficient.of(0.75));
        Vector y = operator.H()
                .times(backend.vector(operator.range(), operator.type()).fill(Coefficient.ONE));
        Vector sum = x.times(2).axpy(-3, y);
        Vector expected = operator.times(x).scale(Coefficient.of(2)).axpy(-3, operator.times(y));
        double size = expected.norm();
        assertThat(operator.times(sum).minus(expected).norm())
                .as("linearity")
                .isLessThanOrEqualTo(10 * bar * (1 + size));
    }

    /** The same matrix as that of the whole array on every rank, and as plain Java. */
    private void matrix(Backend backend, Layout layout, LinearOperator operator) {
        Random random = new Random(seed);
        Layout other = layout.partition() == Partition.LOCAL ? layout : backend.replicated(layout.shape());
        double[] x = numbers(random, operator.domain().size());
        double[] y = whole(operator.times(vector(backend, operator.domain(), x)));
        if (tree.takes(other)) {
            LinearOperator reference = tree.make(backend, other, DataType.FLOAT64);
            near(y, whole(reference.times(vector(backend, reference.domain(), x))), "forward, replicated");
            double[] data = numbers(random, operator.range().size());
            Vector back = operator.H().times(vector(backend, operator.range(), data));
            near(
                    whole(back),
                    whole(reference.H().times(vector(backend, reference.range(), data))),
                    "adjoint, replicated");
        }
        Oracle oracle = tree.oracle();
        if (oracle != null) {
            near(y, oracle.apply(layout.shape(), x), "plain Java");
        }
    }

    private static double[] numbers(Random random, long count) {
        return random.doubles(count, -1, 1).toArray();
    }

    private static double[] whole(Vector vector) {
        double[] all = {};
        for (DistributedArray array : vector.arrays()) {
            all = Catalogue.behind(all, array.toHost().toDoubleArray());
        }
        return all;
    }

    private static void near(double[] found, double[] expected, String what) {
        assertThat(found).as(what).hasSameSizeAs(expected);
        double bar = 1e-11 * (1 + Arrays.stream(expected).map(Math::abs).max().orElse(0));
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).as("%s, element %d", what, i).isEqualTo(expected[i], within(bar));
        }
    }

    private static Vector vector(Backend backend, Layout layout, double... numbers) {
        Vector vector = backend.vector(layout, DataType.FLOAT64);
        int from = 0;
        for (DistributedArray array : vector.arrays()) {
            int count = (int) array.layout().size();
            array.assign(backend.of(array.layout(), Arrays.copyOfRange(numbers, from, from + count)));
            from += count;
        }
        return vector;
    }

    private List<Problem> simpler() {
        List<Problem> all = new ArrayList<>();
        tree.simpler().forEach(other -> all.add(new Problem(other, division, type, seed)));
        division.simpler().forEach(other -> all.add(new Problem(tree, other, type, seed)));
        if (type != DataType.FLOAT64) {
            all.add(new Problem(tree, division, DataType.FLOAT64, seed));
            if (type.isComplex()) {
                all.add(new Problem(tree, division, Compute.real(type), seed));
            }
        }
        all.removeIf(problem -> !problem.tree.takes(problem.division.layout()));
        return all;
    }

    @Override
    public String toString() {
        return tree + " on " + division.ranks() + (division.ranks() == 1 ? " rank, " : " ranks, ") + division + ", "
                + type + ", seed " + seed;
    }
}
