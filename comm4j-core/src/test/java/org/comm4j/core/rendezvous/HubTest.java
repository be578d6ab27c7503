// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CommException;
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

    @Test
    void whatIsPublishedHasALimit() {
        Hub hub = new Hub(2);
        byte[] value = new byte[Hub.VALUE_LIMIT];
        for (int i = 0; i < 15; i++) {
            hub.publish(0, "k" + i, value);
        }
        assertThatThrownBy(() -> hub.publish(0, "one more", value))
                .isInstanceOf(CommException.class)
                .hasMessageContaining(
                        "rank 0: there is no room to publish 'one more': the 15 values that were published");
        // What is small still fits.
        hub.publish(1, "small", new byte[1]);
        assertThat(hub.lookup(0, "small", Duration.ofSeconds(1))).hasSize(1);
    }
}
