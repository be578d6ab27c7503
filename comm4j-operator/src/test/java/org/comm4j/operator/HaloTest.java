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
    @ValueSource(ints = {1, 2, 3, 4, 5})
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
                        assertThat(part.getDouble(i)).isEqualTo(first + i / stride % wide);
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
                    assertThat(total).isEqualTo(halo.range().size());
                }
            }
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
