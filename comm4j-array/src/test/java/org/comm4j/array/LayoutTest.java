// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Layouts: balanced and given parts, runs, equality, wrong arguments. */
class LayoutTest {
    @Test
    void partsAreBalanced() {
        Layout layout = Layout.scattered(4, 0, 5, 3);
        assertThat(layout.localShape(0)).containsExactly(2, 3);
        assertThat(layout.localShape(3)).containsExactly(1, 3);
        assertThat(layout.start(3)).isEqualTo(4);
        assertThat(Layout.scattered(4, 0, 2).localSize(3)).isZero();
        assertThat(Layout.scattered(3, -1, 4, 7).localShape(1)).containsExactly(4, 2);
    }

    @Test
    void runsCoverTheWholeArrayOnce() {
        for (int axis = 0; axis < 3; axis++) {
            for (int ranks = 1; ranks <= 6; ranks++) {
                Layout layout = Layout.scattered(ranks, axis, 4, 3, 5);
                int[] owner = new int[60];
                for (int r = 0; r < ranks; r++) {
                    List<Long> locals = new ArrayList<>();
                    layout.runs(r, (local, global, count) -> {
                        for (long i = 0; i < count; i++) {
                            locals.add(local + i);
                            owner[(int) (global + i)]++;
                        }
                    });
                    assertThat(locals).hasSize((int) layout.localSize(r)).isSorted();
                }
                assertThat(owner).containsOnly(1);
            }
        }
    }

    @Test
    void equalByValue() {
        assertThat(Layout.scattered(2, 0, 4, 3)).isEqualTo(Layout.scattered(new long[] {2, 2}, 0, 4, 3));
        assertThat(Layout.scattered(2, 0, 4, 3)).isNotEqualTo(Layout.scattered(new long[] {1, 3}, 0, 4, 3));
        assertThat(Layout.scattered(2, 0, 4, 3)).isNotEqualTo(Layout.scattered(2, 1, 4, 3));
        assertThat(Layout.local(4)).isNotEqualTo(Layout.replicated(4));
        assertThat(Layout.stacked(Layout.local(4), Layout.local(2)))
                .isEqualTo(Layout.stacked(Layout.local(4), Layout.local(2)))
                .hasSameHashCodeAs(Layout.stacked(Layout.local(4), Layout.local(2)));
    }

    @Test
    void wrongArguments() {
        assertThatThrownBy(() -> Layout.scattered(2, 2, 4, 3)).hasMessageContaining("axis 2");
        assertThatThrownBy(() -> Layout.scattered(new long[] {1, 2}, 0, 4)).hasMessageContaining("add up to 3");
        assertThatThrownBy(() -> Layout.scattered(new long[] {5, -1}, 0, 4)).hasMessageContaining("rank 1");
        assertThatThrownBy(() -> Layout.local(3, -1)).hasMessageContaining("negative");
        assertThatThrownBy(() -> Layout.replicated(1L << 40, 1L << 40)).hasMessageContaining("2^63");
        assertThatThrownBy(() -> Layout.scattered(2, 0, 4).start(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Layout.local(4).axis()).isInstanceOf(IllegalStateException.class);
    }
}
