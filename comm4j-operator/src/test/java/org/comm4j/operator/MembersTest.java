// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.junit.jupiter.params.ParameterizedTest;

/** Operators of ranks: layouts that are given, ranks without an operator, stacks of a rank's own operators. */
class MembersTest {
    private static final DataType TYPE = DataType.FLOAT64;

    /** Returns none on rank 1, otherwise a matrix of rank + 1 rows and three columns, and one of two rows. */
    private static LinearOperator[] own(Backend backend) {
        int rank = backend.rank();
        return rank == 1
                ? new LinearOperator[0]
                : new LinearOperator[] {
                    MatrixMult.of(backend.random(backend.local(rank + 1, 3), TYPE, rank)),
                    MatrixMult.of(backend.random(backend.local(2, 3), TYPE, 50 + rank))
                };
    }

    private static Layout scattered(Backend backend, int atRank0, int more) {
        long[] sizes = new long[backend.size()];
        Arrays.setAll(sizes, rank -> rank == 1 ? 0 : atRank0 + rank * more);
        return Layout.scattered(sizes, 0, Arrays.stream(sizes).sum());
    }

    private static void same(LinearOperator given, LinearOperator exchanged) {
        assertThat(given.domain()).isEqualTo(exchanged.domain());
        assertThat(given.range()).isEqualTo(exchanged.range());
        Vector x = given.backend().random(given.domain(), TYPE, 1);
        Vector y = given.backend().random(given.range(), TYPE, 2);
        assertThat(given.times(x).minus(exchanged.times(x)).norm()).isLessThan(1e-13);
        assertThat(given.H().times(y).minus(exchanged.H().times(y)).norm()).isLessThan(1e-13);
        assertThat(given.dottest(3)).isLessThan(1e-13);
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3, 4})
    void givenLayoutsAreThoseOfAnExchange(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout models = scattered(backend, 6, 0);
            Layout data = scattered(backend, 3, 1);
            Layout model = backend.replicated(3);
            LinearOperator[] own = own(backend);
            same(BlockDiag.of(backend, models, data, TYPE, own), BlockDiag.of(backend, own));
            same(VStack.of(backend, model, data, TYPE, own), VStack.of(backend, own));
            LinearOperator[] adjoints =
                    Arrays.stream(own).map(LinearOperator::H).toArray(LinearOperator[]::new);
            same(HStack.of(backend, data, model, TYPE, adjoints), HStack.of(backend, adjoints));
            if (own.length > 0) {
                // Those of rank 3 have six rows and six columns.
                if (backend.rank() != 3) {
                    assertThatThrownBy(() -> BlockDiag.of(backend, data, models, TYPE, own))
                            .hasMessageContaining("as many, and be no stacks");
                }
                assertThatThrownBy(() -> BlockDiag.of(backend, models, data, DataType.FLOAT32, own))
                        .hasMessageContaining("do not fit");
            }
            assertThatThrownBy(() -> VStack.of(backend, models, data, TYPE, own))
                    .hasMessageContaining("must be replicated");
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void nothingIsSentForGivenLayouts(int ranks) {
        Ranks.run(ranks, backend -> {
            // Ranks make different numbers of them, which would hang if that were collective.
            for (int i = 0; i <= backend.rank(); i++) {
                BlockDiag.of(backend, scattered(backend, 6, 0), scattered(backend, 3, 1), TYPE, own(backend));
                VStack.of(backend, backend.replicated(3), scattered(backend, 3, 1), TYPE, own(backend));
            }
        });
    }

    /** A rank's own stack among the blocks is as its members alone. */
    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void ownStacksAreMembers(int ranks) {
        Ranks.run(ranks, backend -> {
            LinearOperator first = MatrixMult.of(backend.random(backend.local(backend.rank() + 1, 3), TYPE, 1));
            LinearOperator second = MatrixMult.of(backend.random(backend.local(2, 3), TYPE, 2));
            same(
                    VStack.of(backend, VStack.of(first, VStack.of(second, first))),
                    VStack.of(backend, first, second, first));
            same(BlockDiag.of(backend, BlockDiag.of(first, second)), BlockDiag.of(backend, first, second));
            LinearOperator tall = BlockDiag.of(backend, VStack.of(first, second), second);
            assertThat(tall.domain())
                    .isEqualTo(BlockDiag.of(backend, first, second).domain());
            assertThat(tall.dottest(4)).isLessThan(1e-13);
        });
    }

    @ParameterizedTest
    @OnRanks({1, 2, 3})
    void blocksOfAllRanksHaveModelsOfTheirOwn(int ranks) {
        Ranks.run(ranks, backend -> {
            Layout layout = backend.scattered(0, 5, 4);
            LinearOperator flip = Flip.of(backend, layout, TYPE, 0);
            LinearOperator stack = VStack.of(backend, own(backend));
            LinearOperator both = BlockDiag.of(flip, stack);
            DistributedArray x = backend.random(layout, TYPE, 1);
            DistributedArray y = backend.random(stack.domain(), TYPE, 2);
            Vector found = both.times(StackedArray.of(x, y));
            Vector expected = StackedArray.of(flip.times(x), stack.times(y));
            assertThat(found.minus(expected).norm()).isZero();
            assertThat(both.dottest(5)).isLessThan(1e-13);
            assertThatThrownBy(() -> BlockDiag.of(new LinearOperator[0])).hasMessageContaining("no operators");
        });
    }
}
