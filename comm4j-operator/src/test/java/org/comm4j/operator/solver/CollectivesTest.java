// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.CountingCommunicator;
import org.comm4j.operator.Identity;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.OnRanks;
import org.comm4j.operator.VStack;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operations of the communicator that an iteration calls: two reductions, and those of its operator. */
class CollectivesTest {
    private static Map<String, Integer> ofAnIteration(int ranks, Function<Backend, Solver> make) {
        Map<String, Integer> seen = new TreeMap<>();
        World.threads(ranks, world -> {
            try (Communicator comm = world.communicator()) {
                CountingCommunicator counting = CountingCommunicator.of(comm);
                try (Backend backend = Backend.of(counting.communicator());
                        Iteration run = make.apply(backend).iterations(20).setup()) {
                    for (int i = 0; i < 3; i++) {
                        counting.calls().clear();
                        assertThat(run.step()).isTrue();
                    }
                    synchronized (seen) {
                        if (comm.rank() == 0) {
                            seen.putAll(counting.calls());
                        }
                    }
                }
            }
        });
        return seen;
    }

    private static LinearOperator blocks(Backend backend) {
        return BlockDiag.of(
                backend, MatrixMult.of(backend.random(backend.local(7, 5), DataType.FLOAT64, backend.rank())));
    }

    private static Vector data(LinearOperator a) {
        return a.times(a.backend().random(a.domain(), DataType.FLOAT64, 3));
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void anIterationMakesTwoReductions(int ranks) {
        Map<String, Integer> expected = ranks == 1 ? Map.of() : Map.of("allReduce", 2);
        assertThat(ofAnIteration(
                        ranks,
                        b -> Cg.of(
                                blocks(b).H().times(blocks(b)),
                                data(blocks(b).H().times(blocks(b))))))
                .isEqualTo(expected);
        assertThat(ofAnIteration(ranks, b -> Cgls.of(blocks(b), data(blocks(b)))))
                .isEqualTo(expected);
        assertThat(ofAnIteration(ranks, b -> Cgls.of(blocks(b), data(blocks(b))).damp(0.1)))
                .isEqualTo(expected);
        assertThat(ofAnIteration(
                        ranks,
                        b -> Cgls.of(blocks(b), data(blocks(b)))
                                .preconditioner(Identity.of(b, blocks(b).domain(), DataType.FLOAT64)
                                        .times(0.5))))
                .isEqualTo(expected);
        assertThat(ofAnIteration(ranks, b -> Lsqr.of(blocks(b), data(blocks(b))).damp(0.1)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void mergedOnesMakeOneReduction(int ranks) {
        Map<String, Integer> expected = ranks == 1 ? Map.of() : Map.of("allReduce", 1);
        assertThat(ofAnIteration(
                        ranks,
                        b -> Cg.merged(
                                blocks(b).H().times(blocks(b)),
                                data(blocks(b).H().times(blocks(b))))))
                .isEqualTo(expected);
        assertThat(ofAnIteration(
                        ranks, b -> Cgls.merged(blocks(b), data(blocks(b))).damp(0.1)))
                .isEqualTo(expected);
    }

    /** A regularised problem: ghost rows once in each direction, and all norms of the stack together. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void operatorsAddTheirOwn(int ranks) {
        Function<Backend, Solver> regularised = backend -> {
            Layout layout = backend.scattered(0, 8, 3);
            LinearOperator stack = VStack.of(
                    Identity.of(backend, layout, DataType.FLOAT64),
                    Laplacian.of(backend, layout, 0, 1).build());
            return Cgls.of(stack, data(stack));
        };
        assertThat(ofAnIteration(ranks, regularised)).isEqualTo(Map.of("allReduce", 2, "run", 2));
        // The adjoint of a stack over the ranks sums the model.
        Function<Backend, Solver> stack = backend -> {
            LinearOperator a = VStack.of(
                    backend, MatrixMult.of(backend.random(backend.local(7, 5), DataType.FLOAT64, backend.rank())));
            return Cgls.of(a, data(a));
        };
        assertThat(ofAnIteration(ranks, stack)).isEqualTo(Map.of("allReduce", 3));
    }
}
