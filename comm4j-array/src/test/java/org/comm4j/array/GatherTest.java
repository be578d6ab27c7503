// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole arrays on one rank, in pieces of a few elements, against the same random array. */
class GatherTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void wholeArraysComeAndGo(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            long[] uneven = new long[ranks];
            uneven[ranks - 1] = 5;
            int root = ranks - 1;
            for (Layout layout : new Layout[] {
                backend.replicated(4, 3),
                backend.scattered(0, 4, 3),
                backend.scattered(1, 4, 3),
                backend.scattered(1, 2, 3, 2),
                Layout.scattered(uneven, 0, 5, 2),
                backend.scattered(0, 0, 3)
            }) {
                for (DataType type : new DataType[] {DataType.FLOAT32, DataType.COMPLEX128}) {
                    DistributedArray x = backend.random(layout, type, 4);
                    HostArray expected = x.toHost();
                    for (long piece : new long[] {1, 64, 1 << 20}) {
                        HostArray whole = Gather.gather(x, root, piece);
                        assertThat(whole != null).isEqualTo(backend.rank() == root);
                        if (whole != null) {
                            assertThat(whole.segment().mismatch(expected.segment()))
                                    .isEqualTo(-1);
                        }
                        DistributedArray y = Gather.scatter(backend, layout, type, whole, root, piece);
                        assertThat(y.minus(x).norm()).isZero();
                        y.close();
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void everyRankGetsWhatOneHas(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            DistributedArray x = backend.full(backend.replicated(3), DataType.FLOAT64, 1 + backend.rank());
            Gather.broadcast(x, ranks - 1);
            assertThat(x.toHost().toDoubleArray()).containsOnly(ranks);
            assertThat(Gather.gather(backend.random(backend.scattered(0, 3), DataType.FLOAT64, 1), 0) != null)
                    .isEqualTo(backend.rank() == 0);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void wrongCallsEndOnEveryRankAlike(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            DistributedArray x = backend.zeros(layout, DataType.FLOAT64);
            int root = ranks - 1;
            assertThatThrownBy(() -> Gather.gather(x, ranks)).hasMessageContaining("root " + ranks);
            assertThatThrownBy(() -> Gather.gather(backend.zeros(backend.local(3), DataType.FLOAT64), 0))
                    .hasMessageContaining("no whole array");
            assertThatThrownBy(() -> Gather.broadcast(x, 0)).hasMessageContaining("not replicated");
            assertThatThrownBy(() -> Gather.scatter(backend, layout, DataType.FLOAT64, null, root))
                    .hasMessageContaining("rank " + root + ": there is no whole array");
            HostArray short3 = HostArray.allocate(DataType.FLOAT64, 3);
            HostArray single = HostArray.allocate(DataType.FLOAT32, 4);
            for (HostArray wrong : new HostArray[] {short3, single}) {
                assertThatThrownBy(() -> Gather.scatter(backend, layout, DataType.FLOAT64, wrong, root))
                        .hasMessageContaining("rank " + root)
                        .hasMessageContaining("the 4 elements");
            }
            x.close();
            assertThatThrownBy(() -> Gather.gather(x, root)).hasMessageContaining("closed");
        });
    }
}
