// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Bootstrap;
import org.jspecify.annotations.Nullable;
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
        return join(environment, patience, MeetingTest::introduction);
    }

    private Future<Meeting.Place> join(
            Map<String, String> environment,
            Duration patience,
            Function<Map<String, String>, Introduction> introduction) {
        Map<String, String> all = new HashMap<>(environment);
        all.putIfAbsent("XDG_RUNTIME_DIR", folder.toString());
        return threads.submit(() -> {
            Introduction own = introduction.apply(all);
            return Meeting.join(Job.from(all, own), all, own, patience, LONG, new Watcher() {});
        });
    }

    /** No service that brings processes together. */
    private static Introduction introduction(Map<String, String> environment) {
        return new Introduction(environment, LONG, List::of);
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
        stale.leave(new Invitation(Invitation.address("x", "127.0.0.1:9"), "old", 0));
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

    /** A service whose processes are the threads of a test. */
    private static final class Threads implements Bootstrap {
        private final Exchanges exchanges;
        private final int rank;
        int meetings;

        Threads(Exchanges exchanges, int rank) {
            this.exchanges = exchanges;
            this.rank = rank;
        }

        /** What the ranks give each other, once. */
        record Exchanges(List<CompletableFuture<byte[]>> values) {
            Exchanges(int size) {
                this(Stream.generate(() -> new CompletableFuture<byte[]>())
                        .limit(size)
                        .toList());
            }
        }

        @Override
        public String name() {
            return "threads";
        }

        @Override
        public @Nullable String problem(Map<String, String> environment) {
            return environment.get("PROBLEM");
        }

        @Override
        public Group meet(Map<String, String> environment, Duration patience) {
            meetings++;
            return new Group() {
                @Override
                public int rank() {
                    return rank;
                }

                @Override
                public int size() {
                    return exchanges.values().size();
                }

                @Override
                public List<byte[]> exchange(byte[] mine) {
                    exchanges.values().get(rank).complete(mine);
                    return exchanges.values().stream()
                            .map(CompletableFuture::join)
                            .toList();
                }

                @Override
                public String description() {
                    return "Threads 1.0 (/lib/threads.so)";
                }

                @Override
                public void leaving(World world) {}
            };
        }
    }

    private static Function<Map<String, String>, Introduction> by(Bootstrap service) {
        return environment -> new Introduction(environment, LONG, () -> List.of(service));
    }

    @Test
    void severalMachinesMeetByAService() throws Exception {
        Threads.Exchanges exchanges = new Threads.Exchanges(4);
        List<Future<Meeting.Place>> joining = new ArrayList<>();
        for (int rank = 3; rank >= 0; rank--) {
            joining.addFirst(join(openMpi(rank, 4, 2), LONG, by(new Threads(exchanges, rank))));
        }
        for (int rank = 0; rank < 4; rank++) {
            Meeting.Place place = joining.get(rank).get();
            assertThat(place.localRank()).isEqualTo(rank % 2);
            assertThat(place.localSize()).isEqualTo(2);
            place.membership().close();
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void onOneMachineTheServiceIsLeftAlone() throws Exception {
        Threads service = new Threads(new Threads.Exchanges(1), 0);
        Future<Meeting.Place> one = join(openMpi(1, 2, 2), LONG, by(service));
        join(openMpi(0, 2, 2), LONG, by(service)).get().membership().close();
        one.get().membership().close();
        join(Map.of("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "1"), LONG, by(service))
                .get();
        assertThat(service.meetings).isZero();
    }

    /** A launcher whose library is another one starts worlds of one. */
    @Test
    void aServiceThatKnowsOtherProcessesIsNamed() {
        assertThatThrownBy(join(openMpi(1, 4, 2), LONG, by(new Threads(new Threads.Exchanges(1), 0)))::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("rank 1 of 4 by the environment (Open MPI) is rank 0 of 1 by Threads 1.0"
                        + " (/lib/threads.so): the launcher and the library do not belong together");
        Map<String, String> environment = new HashMap<>(openMpi(1, 4, 2));
        environment.put("PROBLEM", "no library");
        assertThatThrownBy(join(environment, LONG, by(new Threads(new Threads.Exchanges(1), 0)))::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("rank 1 of 4: Open MPI started this job on several machines; add comm4j-mpi")
                .hasMessageContaining("(threads: no library)");
    }

    /** PMIx says who a process is, and not how many there are. */
    @Test
    void aServiceTellsHowManyThereAre() throws Exception {
        Threads.Exchanges exchanges = new Threads.Exchanges(2);
        List<Future<Meeting.Place>> joining = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            joining.add(join(
                    Map.of("PMIX_RANK", "" + rank, "PMIX_NAMESPACE", "x"), LONG, by(new Threads(exchanges, rank))));
        }
        for (int rank = 0; rank < 2; rank++) {
            Meeting.Place place = joining.get(rank).get();
            assertThat(place.localRank()).isEqualTo(rank);
            assertThat(place.localSize()).isEqualTo(2);
            place.membership().close();
        }
    }

    private static Map<String, String> torchrun(int rank, int port) {
        return Map.of(
                "RANK", "" + rank,
                "WORLD_SIZE", "2",
                "LOCAL_RANK", "0",
                "LOCAL_WORLD_SIZE", "1",
                "MASTER_ADDR", "localhost",
                "MASTER_PORT", "" + port,
                "TORCHELASTIC_RUN_ID", "none");
    }

    @Test
    void torchrunMeetsBesideMasterPort() throws Exception {
        int port = portBesideAFreeOne();
        Future<Meeting.Place> one = join(torchrun(1, port), LONG);
        Future<Meeting.Place> zero = join(torchrun(0, port), LONG);
        one.get().membership().close();
        zero.get().membership().close();
        assertThatThrownBy(join(torchrun(1, 70000), LONG)::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("MASTER_PORT=70000 is not a port from 1 to 65535");
        try (var taken = new ServerSocket(0)) {
            assertThatThrownBy(join(torchrun(0, taken.getLocalPort() - 1), LONG)::get)
                    .hasCauseInstanceOf(RendezvousException.class)
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .hasMessageContaining("the port beside MASTER_PORT");
        }
    }

    /** The token that all can derive is none where there is a secret one. */
    @Test
    void torchrunWithASecret() throws Exception {
        int port = portBesideAFreeOne();
        Map<String, String> secret = new HashMap<>(torchrun(0, port));
        secret.put("COMM4J_TOKEN", "secret");
        Future<Meeting.Place> host = join(secret, Duration.ofMillis(700));
        assertThatThrownBy(join(torchrun(1, port), LONG)::get)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining("wrong token");
        assertThatThrownBy(host::get).hasMessageContaining("rank 1 did not join");
    }

    private static int portBesideAFreeOne() throws IOException {
        try (var probe = new ServerSocket(0)) {
            return probe.getLocalPort() - 1;
        }
    }
}
