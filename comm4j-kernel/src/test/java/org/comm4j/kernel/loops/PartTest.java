// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartTest {
    @Test
    void manyPartsInARowHaveAnOrder() {
        List<Part> row = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            row.add(new Part(i, List.of()));
        }
        for (int i = 0; i + 1 < row.size(); i++) {
            row.get(i).end(new Part.End.Jump(row.get(i + 1)));
        }
        row.getLast().end(new Part.End.Jump(row.getFirst()));
        List<Part> order = new ArrayList<>();
        Part.postOrder(row.getFirst(), Part::successors, new HashSet<>(), order);
        assertThat(order).isEqualTo(row.reversed());
    }
}
