// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of other launchers find each other; here each is a thread with an environment of its own. */
@Timeout(20)
class MeetingTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private Future<Meeting.Place> join(Map<String, String> environment, Duration patience) {
        Map<String, String> all = new HashMap<>(environment);
        all.putIfAbsent("XDG_RUNTIME_DIR", folder.toString());
        return threads.submit(() -> Meeting.join(Job.from(all), all, patience, LONG, new Watcher() {}));
    }

    private static Map<String, String> openMpi(int rank, int size, int localSize) {
        return Map.of(
                "OMPI_COMM_WORLD_RANK", "" + rank,
                "OMPI_COMM_WORLD_SIZE", "" + size,
                "OMPI_COMM_WORLD_LOCAL_RANK", "" + rank % localSize,
                "OMPI_COMM_WORLD_LOCAL_SIZE", "" + localSize,
                "PMIX_NAMESPACE", "1234");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }

    @Test
    void ranksOfOneMachineMeetThroughAPrivateFile() throws Exception {
        Future<Meeting.Place> one = join(openMpi(1, 3, 3), LONG);
        Future<Meeting.Place> zero = join(openMpi(0, 3, 3), LONG);
        while (files().stream().noneMatch(f -> f.endsWith(".rendezvous"))) {
            Thread.sleep(1);
        }
        Path file = folder.resolve(files().stream()
                .filter(f -> f.endsWith(".rendezvous"))
                .findFirst()
                .orElseThrow());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Path socket = Path.of(Files.readAllLines(file).get(1));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                .isEqualTo("rwx------");
        List<Membership> ranks = new ArrayList<>();
        for (Future<Meeting.Place> place : List.of(zero, one, join(openMpi(2, 3, 3), LONG))) {
            ranks.add(place.get().membership());
        }
        assertThat(files()).isEmpty();
        assertThat(socket.getParent()).doesNotExist();

        // Rank 0 hosts, and goes on serving after it has left.
        ranks.get(0).publish("k", "v".getBytes(StandardCharsets.UTF_8));
        ranks.get(0).close();
        Thread.sleep(100);
        assertThat(ranks.get(2).lookup("k", LONG)).asString().isEqualTo("v");
        assertThatThrownBy(() -> ranks.get(1).exchange("x", new byte[0], LONG))
                .isInstanceOf(RankFailedException.class)
                .hasMessageContaining("rank 0 has closed its world");
        ranks.get(1).close();
        ranks.get(2).close();
    }

    @Test
    void aStaleFileIsOvercome() throws Exception {
        MeetingFile stale = new MeetingFile(folder, "Open MPI PMIX_NAMESPACE=1234");
        stale.write(new Invitation(Invitation.address("x", "127.0.0.1:9"), "old", 0));
        Future<Meeting.Place> one = join(openMpi(1, 2, 2), LONG);
        Thread.sleep(200);
        Future<Meeting.Place> zero = join(openMpi(0, 2, 2), LONG);
        one.get().membership().close();
        zero.get().membership().close();
        assertThat(files()).isEmpty();
    }

    @Test
    void nobodyComes() throws Exception {
        assertThatThrownBy(join(openMpi(1, 2, 2), Duration.ofMillis(300))::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining(
                        "rank 1 of 2 waited 0.3 s for rank 0 to open the rendezvous (it leaves word of it in "
                                + folder);
        assertThatThrownBy(join(openMpi(0, 2, 2), Duration.ofMillis(300))::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("rank 1 did not join");
        assertThat(files()).isEmpty();
    }

    @Test
    void aFileOfAnotherKindIsNotTrusted() throws Exception {
        MeetingFile file = new MeetingFile(folder, "Open MPI PMIX_NAMESPACE=1234");
        Files.writeString(Path.of(file.toString()), "something else\n");
        assertThatThrownBy(join(openMpi(1, 2, 2), LONG)::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("was not written by this version of comm4j");
    }

    @Test
    void severalMachinesNeedASharedFolder() throws Exception {
        assertThatThrownBy(join(openMpi(1, 4, 2), LONG)::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("COMM4J_RENDEZVOUS_DIR");
        Path shared = Files.createDirectory(folder.resolve("shared"));
        List<Future<Meeting.Place>> joining = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            Map<String, String> environment = new HashMap<>(openMpi(rank, 2, 1));
            environment.put("COMM4J_RENDEZVOUS_DIR", shared.toString());
            joining.add(join(environment, LONG));
        }
        for (Future<Meeting.Place> place : joining) {
            assertThat(place.get().localSize()).isEqualTo(1);
            place.get().membership().close();
        }
    }

    @Test
    void anExplicitAddressNeedsNoFileAndCountsTheLocalRanks() throws Exception {
        int port;
        try (var probe = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort();
        }
        List<Future<Meeting.Place>> joining = new ArrayList<>();
        for (int rank = 2; rank >= 0; rank--) {
            joining.addFirst(join(
                    Map.of(
                            "COMM4J_RANK",
                            "" + rank,
                            "COMM4J_SIZE",
                            "3",
                            "COMM4J_RENDEZVOUS",
                            "127.0.0.1:" + port,
                            "COMM4J_TOKEN",
                            "secret"),
                    LONG));
        }
        for (int rank = 0; rank < 3; rank++) {
            Meeting.Place place = joining.get(rank).get();
            assertThat(place.localRank()).isEqualTo(rank);
            assertThat(place.localSize()).isEqualTo(3);
            place.membership().close();
        }
        assertThat(files()).isEmpty();
        assertThatThrownBy(join(Map.of("COMM4J_RANK", "0", "COMM4J_SIZE", "2"), LONG)::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("set COMM4J_RENDEZVOUS=host:port of rank 0 and COMM4J_TOKEN");
    }
}
