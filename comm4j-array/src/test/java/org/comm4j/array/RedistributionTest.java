// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From any layout to any other: the elements are those of the same random array. */
class RedistributionTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void anyLayoutBecomesAnyOther(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(4, 3, 5)));
            for (int axis = 0; axis < 3; axis++) {
                layouts.add(backend.scattered(axis, 4, 3, 5));
                long[] sizes = new long[backend.size()];
                sizes[0] = layouts.getLast().length(axis);
                layouts.add(Layout.scattered(sizes, axis, 4, 3, 5));
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
            assertThatThrownBy(() -> new Redistribution(
                            backend, backend.replicated(3), backend.scattered(0, 4), DataType.FLOAT64))
                    .hasMessageContaining("different numbers");
            assertThatThrownBy(() ->
                            new Redistribution(backend, backend.local(3), backend.replicated(3), DataType.FLOAT64))
                    .hasMessageContaining("no common elements");
        });
    }
}
