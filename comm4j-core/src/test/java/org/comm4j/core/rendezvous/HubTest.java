// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HubTest {
    /** A launcher blames the first, of whom it may hear after those that are gone because of it. */
    @Test
    void ranksAreGoneInTheOrderOfTheirGoing() {
        Hub hub = new Hub(3);
        hub.watch(new Watcher() {
            @Override
            public void gone(int rank, boolean failed, String how) {
                if (rank == 1) {
                    hub.leave(0);
                }
            }
        });
        List<Integer> heard = new ArrayList<>();
        hub.watch(new Watcher() {
            @Override
            public void gone(int rank, boolean failed, String how) {
                heard.add(rank);
            }
        });
        hub.fail(1, "died");
        hub.fail(2, "died");
        hub.leave(1);
        assertThat(heard).containsExactly(0, 1, 2);
        assertThat(hub.goneInOrder()).containsExactly(1, 0, 2);
    }
}
