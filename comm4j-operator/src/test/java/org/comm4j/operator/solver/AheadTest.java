// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.Identity;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.comm4j.operator.VStack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Iterations that are put in several at a time, recorded where that is possible, against those made one by one: equal
 * to the bit, with the same number of them, whatever stops the solver and wherever in such a group.
 */
class AheadTest {
    @TempDir
    Path folder;

    private static List<Supplier<Solver>> solvers(Backend backend, DataType type) {
        DistributedArray block = backend.random(backend.local(9, 6), type, 7 + backend.rank());
        DistributedArray other = backend.random(backend.local(9, 6), type, 70 + backend.rank());
        LinearOperator a = BlockDiag.of(backend, MatrixMult.of(block), MatrixMult.of(other));
        DistributedArray truth = backend.random(a.domain(), type, 3);
        DistributedArray y = backend.random(a.range(), type, 42);
        LinearOperator identity = Identity.of(backend, a.domain(), type);
        LinearOperator stack = VStack.of(a, identity.times(0.1));
        LinearOperator normal = a.H().times(a);
        DistributedArray ones = backend.full(a.domain(), type, 1);
        DistributedArray signs = backend.random(a.domain(), type, 5);
        signs.axpy(-0.5, ones);
        return List.of(
                () -> Cg.of(normal, normal.times(truth)).damp(0.1).tolerance(1e-5),
                () -> Cg.of(normal, normal.times(truth)).preconditioner(identity.times(0.5)),
                () -> Cg.of(Diagonal.of(signs), ones),
                () -> Cgls.of(a, y).tolerance(1e-3),
                () -> Cgls.of(a, y).damp(0.2).start(truth),
                () -> Cgls.of(a, y)
                        .damp(0.2)
                        .preconditioner(identity.times(0.5))
                        .stopBelow(1e-6),
                () -> Cgls.of(stack, stack.times(truth)),
                () -> Lsqr.of(a, a.times(truth)),
                () -> Lsqr.of(a, y).damp(0.2).tolerance(1e-4),
                () -> Ista.of(a, y).alpha(0.01).decay(3, 2, 1).iterations(10),
                () -> Fista.of(a, y).rtol(0.9).transform(identity).solver(),
                () -> Fista.of(stack, stack.times(truth)).iterations(10).tolerance(1e-2));
    }

    private static List<byte[]> bytes(Vector x) {
        return x.arrays().stream()
                .map(array -> array.part().toHost().segment().toArray(ValueLayout.JAVA_BYTE))
                .toList();
    }

    private static Vector oneByOne(Solver solver) {
        try (Iteration run = solver.setup()) {
            while (run.step()) {
                assertThat(run.number()).isPositive();
            }
            return run.x();
        }
    }

    private static void assertSame(String name, Solver actual, Vector x, Solver expected, Vector y) {
        assertThat(actual.result().costs()).as(name).isEqualTo(expected.result().costs());
        assertThat(actual.result().message())
                .as(name)
                .isEqualTo(expected.result().message());
        assertThat(actual.result().dampedNorm())
                .as(name)
                .isEqualTo(expected.result().dampedNorm());
        for (int i = 0; i < bytes(x).size(); i++) {
            assertThat(bytes(x).get(i)).as(name).isEqualTo(bytes(y).get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void groupsAreThoseOneByOne(int ranks) {
        Ranks.run(ranks, backend -> {
            for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX64}) {
                List<Supplier<Solver>> all = solvers(backend, type);
                for (int i = 0; i < all.size(); i++) {
                    for (int most : new int[] {1, 2, 30}) {
                        Solver expected = all.get(i).get().iterations(most);
                        Vector y = oneByOne(expected);
                        for (int ahead : new int[] {0, 1, 2, 5, 64}) {
                            Solver actual = all.get(i).get().iterations(most).ahead(ahead);
                            Vector x = actual.solve();
                            assertSame(
                                    "solver %d of %s, %d at a time, %s"
                                            .formatted(
                                                    i,
                                                    type,
                                                    ahead,
                                                    expected.result().message()),
                                    actual,
                                    x,
                                    expected,
                                    y);
                        }
                    }
                }
            }
        });
    }

    /** More iterations than the state keeps costs of. */
    @Test
    void longRunsKeepTheirHistory() {
        Ranks.run(1, backend -> {
            double[] d = new double[400];
            for (int i = 0; i < d.length; i++) {
                d[i] = 1 + i * i;
            }
            var layout = backend.scattered(0, d.length);
            LinearOperator a = Diagonal.of(backend.of(layout, d));
            Vector y = backend.full(layout, DataType.FLOAT64, 1);
            Solver expected = Cgls.of(a, y).iterations(370);
            Vector one = oneByOne(expected);
            Solver actual = Cgls.of(a, y).iterations(370).ahead(64);
            assertSame("long", actual, actual.solve(), expected, one);
            assertThat(actual.result().iterations()).isEqualTo(370);
        });
    }

    /** Callbacks see the iterations that they ask for, as they are then. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void callbacksBoundTheGroups(int ranks) {
        Ranks.run(ranks, backend -> {
            Supplier<Solver> make = solvers(backend, DataType.FLOAT64).get(4);
            List<String> expected = new ArrayList<>();
            make.get()
                    .iterations(20)
                    .callback(
                            6, run -> expected.add(run.number() + " " + run.x().norm()))
                    .solve();
            List<String> seen = new ArrayList<>();
            make.get()
                    .iterations(20)
                    .ahead(5)
                    .callback(6, run -> seen.add(run.number() + " " + run.x().norm()))
                    .callback(9, run -> seen.add("nine " + run.number()))
                    .solve();
            assertThat(expected).hasSize(3);
            assertThat(seen).containsSubsequence(expected).contains("nine 9", "nine 18");
        });
    }

    /** A checkpoint is one of its iteration, and what was put in stays before it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void checkpointsBoundTheGroups(int ranks) {
        Ranks.run(ranks, backend -> {
            Supplier<Solver> make = solvers(backend, DataType.FLOAT64).get(4);
            Path file = folder.resolve("ranks" + ranks);
            Solver expected = make.get().iterations(23);
            Vector y = expected.solve();
            make.get().iterations(17).ahead(5).checkpoint(file, 7).solve();
            Solver second = make.get().iterations(23).ahead(5).restart(file);
            Vector x = second.solve();
            assertSame("restart", second, x, expected, y);
        });
    }
}
