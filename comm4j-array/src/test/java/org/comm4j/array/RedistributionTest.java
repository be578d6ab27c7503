// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.math.CpuCompute;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From any layout to any other: the elements are those of the same random array. */
class RedistributionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void anyLayoutBecomesAnyOther(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            // Short pieces, and long ones without a common divisor.
            everyWay(backend, 4, 3, 5);
            everyWay(backend, 3, 37, 1);
            assertThatThrownBy(() -> new Redistribution(
                            backend, backend.replicated(3), backend.scattered(0, 4), DataType.FLOAT64))
                    .hasMessageContaining("different numbers");
            assertThatThrownBy(() ->
                            new Redistribution(backend, backend.local(3), backend.replicated(3), DataType.FLOAT64))
                    .hasMessageContaining("no common elements");
        });
    }

    private static void everyWay(Backend backend, long... shape) {
        List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(shape)));
        for (int axis = 0; axis < 3; axis++) {
            layouts.add(backend.scattered(axis, shape));
            long[] sizes = new long[backend.size()];
            sizes[0] = layouts.getLast().length(axis);
            layouts.add(Layout.scattered(sizes, axis, shape));
        }
        for (Layout from : layouts) {
            for (Layout to : layouts) {
                DistributedArray x = backend.random(from, DataType.COMPLEX64, 1);
                DistributedArray y = backend.zeros(to, DataType.COMPLEX64);
                new Redistribution(backend, from, to, DataType.COMPLEX64).run(x, y);
                assertThat(y.toHost().segment().mismatch(x.toHost().segment()))
                        .as("%s to %s", from, to)
                        .isEqualTo(-1);
            }
        }
    }

    /** A single rank has everything in order; of several, rows are in order where columns are taken apart. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void neighboursAreOnePiece(int ranks) {
        CpuCompute compute = new CpuCompute();
        Packing rows = new Packing(compute, true, ranks, 12L * ranks);
        Packing columns = new Packing(compute, true, ranks, 12L * ranks);
        for (int rank = 0; rank < ranks; rank++) {
            for (int i = 0; i < 4; i++) {
                rows.add(rank, 12L * rank + 3L * i, 3);
                columns.add(rank, 3L * (rank + (long) ranks * i), 3);
            }
        }
        rows.end();
        columns.end();
        assertThat(rows.isPacked()).isTrue();
        assertThat(columns.isPacked()).isEqualTo(ranks == 1);
        assertThat(columns.counts()).containsOnly(12);
    }
}
