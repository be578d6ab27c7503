// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that live agree on who does, between threads and between processes. */
@Timeout(20)
class AgreementTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int[] ALL = {0, 1, 2, 3};

    @TempDir
    private Path folder;

    private Rendezvous job = new Rendezvous(Path.of(""));

    @BeforeEach
    void open() {
        job = new Rendezvous(folder);
    }

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private Future<Map<Integer, String>> agree(Membership member, int rank, int... ranks) {
        return job.threads.submit(
                () -> texts(member.agree("k", ranks, Rendezvous.bytes("value " + rank), Rendezvous.LONG)));
    }

    private static Map<Integer, String> texts(Map<Integer, byte[]> values) {
        Map<Integer, String> texts = new TreeMap<>();
        values.forEach((rank, value) -> texts.put(rank, new String(value, StandardCharsets.UTF_8)));
        return texts;
    }

    @Test
    void theDeadAreNotWaitedForOverTcp() throws Exception {
        goOnWithout(job.world(job.server(4), 4));
    }

    @Test
    void theDeadAreNotWaitedForOnOneMachine() throws Exception {
        goOnWithout(job.world(job.localServer(4), 4));
    }

    private void goOnWithout(List<HubClient> ranks) throws Exception {
        // One that came, and died before the end, is not in the result.
        Future<Map<Integer, String>> last = agree(ranks.get(3), 3, ALL);
        Future<Map<Integer, String>> first = agree(ranks.get(0), 0, ALL);
        ranks.get(1).disconnect();
        assertThatThrownBy(() -> ranks.get(0).lookup("nothing", Rendezvous.LONG))
                .isInstanceOf(RankFailedException.class);
        assertThat(first.isDone()).isFalse();
        ranks.get(3).disconnect();
        assertThatThrownBy(last::get).hasCauseInstanceOf(CommException.class);
        while (ranks.get(0).failedRanks().size() < 2) {
            Thread.sleep(1);
        }
        Future<Map<Integer, String>> second = agree(ranks.get(2), 2, ALL);
        assertThat(first.get()).isEqualTo(Map.of(0, "value 0", 2, "value 2"));
        assertThat(second.get()).isEqualTo(first.get());
        // The same key again, among fewer; and who leaves in peace is not waited for either.
        Future<Map<Integer, String>> rest = agree(ranks.get(0), 0, 0, 2);
        ranks.get(2).close();
        assertThat(rest.get()).isEqualTo(Map.of(0, "value 0"));
    }

    @Test
    void whoDoesNotComeIsNamedAndMayComeLater() throws Exception {
        Hub hub = new Hub(3);
        List<Membership> ranks = new ArrayList<>();
        for (int r = 0; r < 3; r++) {
            ranks.add(hub.member(r));
        }
        assertThatThrownBy(() -> ranks.get(0).agree("k", new int[] {0, 1, 2}, new byte[0], SHORT))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessageContainingAll("rank 0 waited 0.2 s in the agreement 'k'", "ranks 1 and 2 did not come");
        Future<Map<Integer, String>> one = agree(ranks.get(1), 1, 1, 2);
        while (one.state() != Future.State.RUNNING) {
            Thread.sleep(1);
        }
        Thread.sleep(50);
        assertThatThrownBy(() -> ranks.get(0).agree("k", new int[] {0, 1, 2}, new byte[0], SHORT))
                .isInstanceOf(CommException.class)
                .hasMessageContainingAll("[0, 1, 2]", "[1, 2]");
        Future<Map<Integer, String>> two = agree(ranks.get(2), 2, 1, 2);
        assertThat(one.get()).isEqualTo(Map.of(1, "value 1", 2, "value 2")).isEqualTo(two.get());
        for (int[] wrong : new int[][] {{1, 2}, {0, 3}, {1, 0}, {0, 0}, {}}) {
            assertThatThrownBy(() -> hub.agree(0, "k", wrong, new byte[0], SHORT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("rank 0 of 3");
        }
    }

    /** Deaths at any moment: all who live get the same. */
    @Test
    void allGetTheSame() throws Exception {
        for (int round = 0; round < 200; round++) {
            Hub hub = new Hub(4);
            List<Future<Map<Integer, String>>> ends = new ArrayList<>();
            for (int r = 0; r < 3; r++) {
                ends.add(agree(hub.member(r), r, ALL));
            }
            Membership dying = hub.member(3);
            Future<Map<Integer, String>> last = agree(dying, 3, ALL);
            if (round % 2 == 0) {
                Thread.onSpinWait();
            }
            hub.fail(3, "died");
            for (Future<Map<Integer, String>> each : ends) {
                assertThat(each.get()).isEqualTo(ends.getFirst().get()).containsKeys(0, 1, 2);
            }
            try {
                assertThat(last.get().keySet()).containsAll(List.of(0, 1, 2));
            } catch (ExecutionException e) {
                assertThat(e)
                        .hasCauseInstanceOf(CommException.class)
                        .hasMessageContaining("rank 3 died and takes no part");
            }
        }
    }

    @Test
    void wrongArgumentsAreNamed() {
        World.threads(2, world -> {
            assertThatThrownBy(() -> world.agree("k", new int[] {1 - world.rank()}, new byte[0], SHORT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("agree on rank " + world.rank() + " of 2: among [" + (1 - world.rank())
                            + "]; name ranks from 0 to 1, this one included");
            assertThatThrownBy(() -> world.agree("k", new int[] {0, 1, 2}, new byte[0], SHORT))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(world.agree("k", new int[] {1, 0, 1}, new byte[] {7}, Rendezvous.LONG)
                            .keySet())
                    .containsExactly(0, 1);
        });
    }
}
