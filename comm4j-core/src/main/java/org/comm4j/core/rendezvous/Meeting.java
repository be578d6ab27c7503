// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.spi.Bootstrap;
import org.jspecify.annotations.Nullable;

/**
 * Brings the processes of a {@link Job} together. Under {@code comm4j run} the launcher hosts the rendezvous. Under
 * other launchers rank 0 does: on a socket in a private folder if all ranks are known to be on this machine, else on
 * TCP; and it leaves word of it in a file.
 */
public final class Meeting {

    /** In place of a token. */
    private static final String NO_WORD = "! ";

    /** How long a host whose own join failed still tells the others why. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private static final Set<String> MPICH_PARENTS = Set.of("hydra_pmi_proxy", "mpiexec.hydra", "mpiexec", "mpirun");

    /**
     * One rank's place in the world that was formed.
     *
     * @param localRank this rank among those of its machine
     * @param localSize how many ranks are on its machine
     */
    public record Place(Membership membership, int localRank, int localSize) {}

    private Meeting() {}

    /**
     * Joins the world of {@code job}; returns when all its ranks have.
     *
     * @param patience how long to wait for the others
     * @param linger how long rank 0, if it hosts, goes on serving the others after it has left
     * @throws RendezvousException if the world is not formed
     */
    public static Place join(
            Job job,
            Map<String, String> environment,
            Introduction introduction,
            Duration patience,
            Duration linger,
            Watcher watcher) {
        Invitation invitation = job.invitation();
        if (invitation != null && invitation.hostRank() < 0) {
            return join(job, () -> invitation, false, patience, watcher);
        }
        if (job.size() == 1) {
            return alone();
        }
        if (invitation != null) {
            return job.rank() == 0
                    ? host(
                            job,
                            invitation.address() instanceof InetSocketAddress at
                                    ? new InetSocketAddress(at.getHostString(), at.getPort())
                                    : invitation.address(),
                            invitation.token(),
                            Word.NONE,
                            patience,
                            linger,
                            watcher)
                    : join(job, () -> invitation, true, patience, watcher);
        }
        boolean wide = !job.oneMachine() && environment.containsKey(Job.RENDEZVOUS_DIR);
        if (!wide && !job.oneMachine()) {
            Place place = acrossMachines(job, environment, introduction, patience, linger, watcher);
            if (place != null) {
                return place;
            }
        }
        Path folder = wide ? Path.of(environment.getOrDefault(Job.RENDEZVOUS_DIR, "")) : privateFolder(environment);
        MeetingFile file = new MeetingFile(folder, id(job, wide));
        if (job.rank() == 0) {
            if (wide) {
                SocketAddress address = new InetSocketAddress(reachableAddress(), 0);
                return host(job, address, HubServer.newToken(), file, patience, linger, watcher);
            }
            // Nobody looks for the socket any more when all have come.
            try (PrivateFolder meeting = PrivateFolder.open(environment)) {
                return host(job, meeting.socket(), HubServer.newToken(), file, patience, linger, watcher);
            }
        }
        return join(
                job,
                new Supplier<@Nullable Invitation>() {
                    @Override
                    public @Nullable Invitation get() {
                        return file.read();
                    }

                    @Override
                    public String toString() {
                        return "it leaves word of it in " + file;
                    }
                },
                true,
                patience,
                watcher);
    }

    /** Joins a job that spans machines, with nothing set; null if it may be on one machine after all. */
    private static @Nullable Place acrossMachines(
            Job job,
            Map<String, String> environment,
            Introduction introduction,
            Duration patience,
            Duration linger,
            Watcher watcher) {
        Invitation master = MasterPort.invitation(job, environment);
        if (master != null) {
            if (job.rank() > 0) {
                return join(job, () -> master, true, patience, watcher);
            }
            SocketAddress address = new InetSocketAddress(((InetSocketAddress) master.address()).getPort());
            try {
                return host(job, address, master.token(), Word.NONE, patience, linger, watcher);
            } catch (RendezvousException e) {
                throw e.getCause() instanceof IOException ? MasterPort.taken(e) : e;
            }
        }
        Bootstrap.Group group = introduction.met();
        if (group == null && job.localSize() > 0) {
            Preparation.begin();
            group = introduction.meet();
        }
        if (group != null) {
            Introduction.check(job, group);
            return introduced(job, group, patience, linger, watcher);
        }
        if (job.localSize() > 0) {
            String problems = introduction.problems();
            throw new RendezvousException("rank " + job.rank() + " of " + job.size() + ": " + job.origin()
                    + " started this job on several machines; add comm4j-mpi, by which they meet if MPI's library is"
                    + " there, or set " + Job.RENDEZVOUS_DIR + " to a folder that all of them share, or "
                    + Job.RENDEZVOUS + "=host:port of rank 0 and " + Job.TOKEN
                    + (problems.isEmpty() ? "" : " (" + problems + ")"));
        }
        return null;
    }

    /** Rank 0 listens on all its addresses, and tells the others by {@code group} which they are. */
    private static Place introduced(
            Job job, Bootstrap.Group group, Duration patience, Duration linger, Watcher watcher) {
        if (job.rank() == 0) {
            String token = HubServer.newToken();
            Word word = new Word() {
                @Override
                public void leave(Invitation invitation) {
                    int port = ((InetSocketAddress) invitation.address()).getPort();
                    tell(token + "\n" + Reach.here(machine(), port).text());
                }

                private void tell(String text) {
                    List<byte[]> ignored = group.exchange(text.getBytes(StandardCharsets.UTF_8));
                }

                @Override
                public void fail(RuntimeException e) {
                    tell(NO_WORD + e.getMessage());
                }
            };
            return host(job, new InetSocketAddress(0), token, word, patience, linger, watcher);
        }
        String text = new String(group.exchange(new byte[0]).getFirst(), StandardCharsets.UTF_8);
        int line = text.indexOf('\n');
        if (text.startsWith(NO_WORD) || line < 0) {
            throw new RendezvousException(
                    "rank " + job.rank() + " of " + job.size() + ": rank 0 cannot host the rendezvous: " + text);
        }
        List<InetSocketAddress> ways = Reach.parse(text.substring(line + 1)).seenFrom(machine(), Reach.networks());
        if (ways.isEmpty()) {
            throw new RendezvousException("rank " + job.rank() + " of " + job.size()
                    + ": rank 0's machine has no address that this one could reach: set " + Job.RENDEZVOUS
                    + "=host:port of rank 0 and " + Job.TOKEN);
        }
        return join(job, Reach.inTurn(ways, text.substring(0, line)), true, patience, watcher);
    }

    /** The place of the only rank of a world. */
    public static Place alone() {
        return new Place(new Hub(1).member(0), 0, 1);
    }

    private static Place join(
            Job job, Supplier<@Nullable Invitation> invitation, boolean retry, Duration patience, Watcher watcher) {
        HubClient client = HubClient.join(invitation, retry, job.rank(), job.size(), card(job), patience, watcher);
        return place(job, client, client.cards());
    }

    private static Place host(
            Job job,
            SocketAddress address,
            String token,
            Word word,
            Duration patience,
            Duration linger,
            Watcher watcher) {
        Hub hub = new Hub(job.size());
        HubServer server;
        try {
            server = HubServer.open(hub, address, token);
        } catch (RendezvousException e) {
            word.fail(e);
            throw e;
        }
        Duration stay = FAREWELL;
        HubClient client = null;
        try {
            Invitation invitation = new Invitation(server.address(), token, 0);
            word.leave(invitation);
            client = HubClient.join(() -> invitation, false, 0, job.size(), card(job), patience, watcher);
            stay = linger;
        } finally {
            word.remove();
            if (client == null) {
                retire(hub, server, null, stay);
            }
        }
        return place(job, new Hosting(client, hub, server, linger), client.cards());
    }

    /** Keeps this process alive until the others need the rendezvous no more. */
    private static void retire(Hub hub, HubServer server, @Nullable HubClient client, Duration stay) {
        Thread.ofPlatform().name("comm4j-rendezvous-farewell").start(() -> {
            try {
                hub.awaitEmpty(stay);
            } catch (InterruptedException e) {
                // Then it ends now.
            }
            if (client != null) {
                client.disconnect();
            }
            server.close();
        });
    }

    /** Rank 0's membership, when it hosts the rendezvous: the others are served on after it has left. */
    private record Hosting(HubClient client, Hub hub, HubServer server, Duration linger) implements Membership {
        @Override
        public void publish(String key, byte[] value) {
            client.publish(key, value);
        }

        @Override
        public byte[] lookup(String key, Duration timeout) {
            return client.lookup(key, timeout);
        }

        @Override
        public List<byte[]> exchange(String key, byte[] mine, Duration timeout) {
            return client.exchange(key, mine, timeout);
        }

        @Override
        public SortedMap<Integer, byte[]> agree(String key, int[] ranks, byte[] mine, Duration timeout) {
            return client.agree(key, ranks, mine, timeout);
        }

        @Override
        public List<Integer> failedRanks() {
            return client.failedRanks();
        }

        @Override
        public @Nullable String fate(int rank) {
            return client.fate(rank);
        }

        @Override
        public void fail(String how) {
            client.fail(how);
        }

        @Override
        public void abort(int exitCode, String reason) {
            client.abort(exitCode, reason);
        }

        @Override
        public void close() {
            client.close();
            retire(hub, server, client, linger);
        }
    }

    /** The machine, then the process id. The launcher knows its machine, and finding out its name takes a while. */
    private static byte[] card(Job job) {
        return ((job.launcherPid() < 0 ? machine() : "launcher's") + " "
                        + ProcessHandle.current().pid())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String machine() {
        try {
            // Names are not unique (containers, cloned images); the kernel's boot is.
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + "/"
                    + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                            .strip();
        } catch (IOException notLinux) {
            try {
                return InetAddress.getLocalHost().getHostName().replace(' ', '_');
            } catch (IOException e) {
                return "localhost";
            }
        }
    }

    private static Place place(Job job, Membership membership, List<byte[]> cards) {
        if (job.localRank() >= 0 && job.localSize() > 0) {
            return new Place(membership, job.localRank(), job.localSize());
        }
        List<String> machines = cards.stream()
                .map(c -> new String(c, StandardCharsets.UTF_8).split(" ", 2)[0])
                .toList();
        int[] here = IntStream.range(0, job.size())
                .filter(r -> machines.get(r).equals(machines.get(job.rank())))
                .toArray();
        return new Place(membership, Arrays.binarySearch(here, job.rank()), here.length);
    }

    private static String id(Job job, boolean wide) {
        if (!job.id().isEmpty()) {
            return job.origin() + " " + job.id();
        }
        if (!wide) {
            // MPICH's launcher says nothing that tells two jobs apart; but it is an ancestor of all ranks of one.
            for (var p = ProcessHandle.current().parent();
                    p.isPresent();
                    p = p.get().parent()) {
                ProcessHandle.Info info = p.get().info();
                String command = info.command().orElse("");
                if (MPICH_PARENTS.contains(command.substring(command.lastIndexOf('/') + 1))) {
                    return job.origin() + " " + p.get().pid() + " "
                            + info.startInstant().orElse(null);
                }
            }
        }
        throw new RendezvousException("rank " + job.rank() + " of " + job.size()
                + ": nothing in the environment tells this job" + " from another one; set " + Job.RENDEZVOUS
                + "=host:port of rank 0 and " + Job.TOKEN + " for all ranks");
    }

    private static Path privateFolder(Map<String, String> environment) {
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        Path folder = Path.of(runtime);
        return !runtime.isBlank() && Files.isDirectory(folder) && Files.isWritable(folder)
                ? folder
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** An address of this machine that others can reach. */
    private static InetAddress reachableAddress() {
        try {
            InetAddress named = InetAddress.getLocalHost();
            return named.isLoopbackAddress()
                    ? NetworkInterface.networkInterfaces()
                            .flatMap(NetworkInterface::inetAddresses)
                            .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
                            .findFirst()
                            .orElse(named)
                    : named;
        } catch (IOException e) {
            throw new RendezvousException(
                    "this machine does not know an address of its own: set " + Job.RENDEZVOUS
                            + "=host:port of rank 0 and " + Job.TOKEN,
                    e);
        }
    }
}
