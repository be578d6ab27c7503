// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts with rims of their neighbours: whose rows they are, their true adjoint, and parts without rows. */
class HaloTest {
    @ParameterizedTest
    @OnRanks({1, 2, 3, 4, 5})
    void rimsAreTheNeighboursRows(int ranks) {
        Ranks.run(ranks, backend -> {
            for (Layout layout : Pylops.layouts(backend, 7, 3)) {
                if (layout.partition() != Partition.SCATTERED) {
                    continue;
                }
                int axis = layout.axis();
                int stride = axis == 0 ? 3 : 1;
                double[] values = new double[21];
                for (int i = 0; i < 21; i++) {
                    values[i] = i / stride % layout.length(axis);
                }
                for (long[] rim : new long[][] {{1, 1}, {0, 2}, {4, 3}, {0, 0}}) {
                    Halo halo = Halo.of(backend, layout, DataType.FLOAT64, rim[0], rim[1]);
                    DistributedArray x = backend.of(layout, values);
                    DistributedArray y = (DistributedArray) halo.times(x);
                    HostArray part = y.part().toHost();
                    long rows = layout.localShape(backend.rank())[axis];
                    long start = layout.start(backend.rank());
                    long first = Math.max(0, start - rim[0]);
                    long end = Math.min(layout.length(axis), start + rows + rim[1]);
                    long wide = rows == 0 ? 0 : end - first;
                    assertThat(part.count()).isEqualTo(wide * 21 / layout.length(axis));
                    for (long i = 0; i < part.count(); i++) {
                        assertThat(part.getDouble(i)).isEqualTo((double) (first + i / stride % wide));
                    }
                    assertThat(halo.dottest(3)).isLessThan(1e-14);
                    LinearOperator crop = halo.crop();
                    assertThat(crop.dottest(4)).isLessThan(1e-14);
                    assertThat(crop.times(halo).times(x).minus(x).norm()).isZero();
                    // Each row comes back as often as parts have it.
                    HostArray counts = ((DistributedArray)
                                    halo.H().times(backend.full(halo.range(), DataType.FLOAT64, 1)))
                            .toHost();
                    double total = 0;
                    for (long i = 0; i < 21; i++) {
                        assertThat(counts.getDouble(i)).isGreaterThanOrEqualTo(1);
                        total += counts.getDouble(i);
                    }
                    assertThat(total).isEqualTo((double) halo.range().size());
                }
            }
        });
    }

    /** Each row and column that a block has with its rim, corners included, is the whole array's. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6})
    void rimsOfBlocksHaveCorners(int ranks) {
        Ranks.run(ranks, backend -> {
            int rank = backend.rank();
            int[] grid = ranks == 6 ? new int[] {3, 1, 2} : ranks == 4 ? new int[] {2, 1, 2} : new int[] {1, 1, ranks};
            double[] values = new double[7 * 2 * 5];
            for (int i = 0; i < values.length; i++) {
                values[i] = i;
            }
            for (Layout layout : List.of(
                    backend.blocks(grid, 7, 2, 5),
                    ranks == 4
                            ? Layout.blocks(new long[][] {{1, 6}, {2}, {5, 0}}, 7, 2, 5)
                            : backend.blocks(grid, 7, 2, 5))) {
                long[] before = {layout.isDivided(0) ? 2 : 0, 0, layout.isDivided(2) ? 1 : 0};
                long[] after = {layout.isDivided(0) ? 4 : 0, 0, layout.isDivided(2) ? 3 : 0};
                Halo halo = Halo.of(backend, layout, DataType.FLOAT64, before, after);
                DistributedArray x = backend.of(layout, values);
                HostArray part = ((DistributedArray) halo.times(x)).part().toHost();
                long[] own = layout.localShape(rank);
                long[] first = new long[3];
                long[] end = new long[3];
                for (int a = 0; a < 3; a++) {
                    first[a] = Math.max(0, layout.start(rank, a) - before[a]);
                    end[a] = own[a] == 0
                            ? first[a]
                            : Math.min(layout.length(a), layout.start(rank, a) + own[a] + after[a]);
                }
                int at = 0;
                for (long i = first[0]; i < end[0]; i++) {
                    for (long j = 0; j < 2; j++) {
                        for (long k = first[2]; k < end[2]; k++) {
                            assertThat(part.getDouble(at++)).isEqualTo((double) ((i * 2 + j) * 5 + k));
                        }
                    }
                }
                assertThat(part.count()).isEqualTo(at);
                assertThat(halo.dottest(3)).isLessThan(1e-14);
                assertThat(halo.crop().dottest(4)).isLessThan(1e-14);
                assertThat(halo.crop().times(halo).times(x).minus(x).norm()).isZero();
                DistributedArray ones = backend.full(halo.range(), DataType.FLOAT64, 1);
                DistributedArray counts = (DistributedArray) halo.H().times(ones);
                assertThat(counts.norm(1)).isEqualTo((double) halo.range().size());
            }
            assertThatThrownBy(() -> Halo.of(
                            backend, backend.scattered(0, 4, 3), DataType.FLOAT64, new long[] {0, 1}, new long[] {0, 0
                            }))
                    .hasMessageContaining("not divided");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongArguments(int ranks) {
        Ranks.run(ranks, backend -> {
            for (Layout layout : List.of(backend.replicated(4), backend.local(4))) {
                assertThatThrownBy(() -> Halo.of(backend, layout, DataType.FLOAT64, 1, 1))
                        .hasMessageContaining("scattered");
            }
            Layout layout = backend.scattered(0, 4);
            assertThatThrownBy(() -> Halo.of(backend, layout, DataType.FLOAT64, -1, 1))
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> DirectionalDerivative.first(backend, layout, DataType.FLOAT64, 1, false, 1, 2))
                    .hasMessageContaining("2 components");
        });
    }
}
