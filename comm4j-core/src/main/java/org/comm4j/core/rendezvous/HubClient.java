// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.spi.Standstill;
import org.jspecify.annotations.Nullable;

/** A rank's connection to the {@link HubServer}. */
public final class HubClient implements Membership {

    /** How much later than the rendezvous a rank runs out of patience: the other side knows better what is missing. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** After that long whoever waits for the others to join says so. */
    private static final Duration STANDSTILL = Duration.ofSeconds(10);

    /** The longest attempt to connect. */
    private static final Duration ATTEMPT = Duration.ofSeconds(3);

    private static final byte[] NOTHING = {};

    private final Invitation invitation;
    private final int rank;
    private final Connection connection;
    private final Watcher watcher;
    private final List<byte[]> cards;
    private final AtomicInteger nextId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
    /** Ranks that died, and how. */
    private final ConcurrentSkipListMap<Integer, String> fates = new ConcurrentSkipListMap<>();

    private final CompletableFuture<String> abortHeard = new CompletableFuture<>();
    private volatile @Nullable Answer over;
    private volatile boolean disconnected;
    private volatile boolean hostLeft;
    private volatile boolean hostEnds;
    private final ProcessWatch processes = new ProcessWatch();
    private boolean closed;

    /** A connection that ended before the other side had said whether this rank may come in: it may be tried again. */
    private static final class DroppedException extends IOException {
        private static final long serialVersionUID = 1L;

        DroppedException(String message) {
            super(message);
        }
    }

    private HubClient(Invitation invitation, int rank, Connection connection, List<byte[]> cards, Watcher watcher) {
        this.invitation = invitation;
        this.rank = rank;
        this.connection = connection;
        this.cards = cards;
        this.watcher = watcher;
    }

    private HubClient start(List<Message> early) {
        Thread.ofPlatform().daemon().name("comm4j-rendezvous").start(() -> {
            early.forEach(this::heard);
            listen();
        });
        return this;
    }

    /**
     * Connects, presents itself and waits until all ranks have done so.
     *
     * @param address tells where the rendezvous is, as often as it is asked; null while that is not known yet
     * @param retry whether a rendezvous that does not answer may still come up
     * @throws RendezvousException if the world is not formed within {@code timeout}
     */
    public static HubClient join(
            Supplier<@Nullable Invitation> address,
            boolean retry,
            int rank,
            int size,
            byte[] card,
            Duration timeout,
            Watcher watcher) {
        Thread thread = Thread.currentThread();
        Standstill.begin("rank " + rank, () -> "joining the world of " + size + " ranks");
        Thread telling = Connection.later(STANDSTILL, () -> Standstill.tell(thread));
        try {
            return knock(address, retry, rank, size, card, timeout, watcher);
        } finally {
            telling.interrupt();
            Standstill.end();
        }
    }

    private static HubClient knock(
            Supplier<@Nullable Invitation> address,
            boolean retry,
            int rank,
            int size,
            byte[] card,
            Duration timeout,
            Watcher watcher) {
        long deadline = System.nanoTime() + Hub.nanos(timeout);
        String obstacle = "";
        while (true) {
            Invitation invitation = address.get();
            long left = deadline - System.nanoTime();
            if (invitation != null && (left > 0 || obstacle.isEmpty())) {
                try {
                    return join(invitation, rank, size, card, Duration.ofNanos(Math.max(left, 1)), timeout, watcher);
                } catch (ClosedByInterruptException e) {
                    throw new CommException("rank " + rank + " was interrupted in joining", e);
                } catch (IOException e) {
                    obstacle = Invitation.text(invitation.address()) + " does not answer (" + why(invitation, e) + ")";
                    if (!retry && !(e instanceof DroppedException)) {
                        throw new RendezvousException("rank " + rank + ": the rendezvous at " + obstacle, e);
                    }
                }
            }
            if (left <= 0) {
                throw new RendezvousException(
                        "rank " + rank + " of " + size + " waited " + Hub.seconds(timeout) + " for "
                                + (obstacle.isEmpty()
                                        ? "rank 0 to open the rendezvous (" + address + ")"
                                        : "the rendezvous, but " + obstacle));
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw Hub.interrupted(rank, "joining", e);
            }
        }
    }

    /** What the system says, and what it means where it is known that it does not help to try again. */
    private static String why(Invitation invitation, IOException e) {
        if (invitation.address() instanceof UnixDomainSocketAddress at) {
            Path folder = at.getPath().toAbsolutePath().getParent();
            try {
                if (folder != null && Files.exists(folder) && !Files.isExecutable(folder)) {
                    return e.getMessage() + ": it belongs to " + Files.getOwner(folder) + ", this process to "
                            + Connection.myself().getName() + "; all processes of a job have to be one user's";
                }
            } catch (IOException unknown) {
                // Then there is nothing to add.
            }
        }
        return String.valueOf(e.getMessage());
    }

    private static HubClient join(
            Invitation invitation, int rank, int size, byte[] card, Duration left, Duration timeout, Watcher watcher)
            throws IOException {
        // There may be other ways to it, and it may not be up yet: no attempt takes all the time.
        Connection connection = Connection.connect(invitation.address(), left.compareTo(ATTEMPT) < 0 ? left : ATTEMPT);
        AtomicBoolean decided = new AtomicBoolean();
        Thread deadline = Connection.later(left.plus(GRACE), () -> {
            if (decided.compareAndSet(false, true)) {
                connection.close();
            }
        });
        boolean joined = false;
        try {
            present(connection, invitation, rank, size, card, left);
            Message.ProcessId self = ProcessWatch.self();
            if (self != null) {
                connection.send(self);
            }
            // Another rank may have come and gone before we are told that all are here.
            List<Message> early = new ArrayList<>();
            Message message = Message.read(connection.in(), Message.LIMIT);
            while (message instanceof Message.Gone
                    || message instanceof Message.Report
                    || message instanceof Message.ProcessId) {
                if (message instanceof Message.Report report) {
                    watcher.report();
                    connection.send(new Message.Reported(report.id()));
                } else {
                    early.add(message);
                }
                message = Message.read(connection.in(), Message.LIMIT);
            }
            HubClient client = switch (message) {
                case Message.Welcome welcome ->
                    new HubClient(invitation, rank, connection, welcome.cards(), watcher).start(early);
                case Message.Abort abort ->
                    throw new RendezvousException("rank " + rank + " cannot join: "
                            + Hub.abortMessage(abort.rank(), abort.exitCode(), abort.reason()));
                case null -> throw new IOException("it closed the connection");
                default -> throw unexpected(message, invitation, rank);
            };
            joined = decided.compareAndSet(false, true);
            return client;
        } catch (IOException e) {
            if (!decided.compareAndSet(false, true)) {
                throw new RendezvousException(
                        "rank " + rank + " of " + size + ": the rendezvous at "
                                + Invitation.text(invitation.address()) + " said nothing for "
                                + Hub.seconds(timeout),
                        e);
            }
            throw e;
        } finally {
            deadline.interrupt();
            if (!joined) {
                connection.close();
            }
        }
    }

    /** Says who this is, and makes sure that the other end is the job's rendezvous and nobody else. */
    private static void present(
            Connection connection, Invitation invitation, int rank, int size, byte[] card, Duration left)
            throws IOException {
        String text = new String(card, StandardCharsets.UTF_8);
        if (connection.isLocal()) {
            // Where the launcher says, in a folder of its own, nobody else can be.
            String user = invitation.hostRank() < 0 ? null : connection.stranger();
            if (user != null) {
                throw new RendezvousException("rank " + rank + ": the rendezvous at "
                        + Invitation.text(invitation.address()) + " is a process of the user " + user
                        + ", this one's is " + Connection.myself().getName()
                        + "; all processes of a job have to be one user's");
            }
            connection.open();
            connection.send(new Message.Hello(rank, size, text, left.toNanos(), NOTHING, NOTHING));
            return;
        }
        connection.open();
        Message message = Message.read(connection.in(), Message.HELLO_LIMIT);
        if (!(message instanceof Message.Challenge(byte[] challenge)) || !Proof.isNonce(challenge)) {
            throw unexpected(message, invitation, rank);
        }
        Message.Hello hello = new Message.Hello(rank, size, text, left.toNanos(), Proof.nonce(), NOTHING);
        connection.send(new Message.Hello(
                rank, size, text, left.toNanos(), hello.nonce(), Proof.ofRank(invitation.token(), challenge, hello)));
        message = Message.read(connection.in(), Message.HELLO_LIMIT);
        if (!(message instanceof Message.Proven(byte[] proof))) {
            throw unexpected(message, invitation, rank);
        }
        if (!Proof.same(proof, Proof.ofRendezvous(invitation.token(), challenge, hello.nonce()))) {
            throw new RendezvousException(
                    "rank " + rank + ": whoever listens at " + Invitation.text(invitation.address())
                            + " does not know this job's token: it is not its rendezvous");
        }
    }

    /** What to throw at an answer that is not the one that belongs here. */
    private static RuntimeException unexpected(@Nullable Message message, Invitation invitation, int rank)
            throws IOException {
        switch (message) {
            case null -> throw new DroppedException("it closed the connection");
            case Message.Refused refused ->
                throw new RendezvousException("rank " + rank + ": the rendezvous at "
                        + Invitation.text(invitation.address()) + " answers: " + refused.why());
            default -> throw new IOException("it does not speak comm4j's protocol");
        }
    }

    /** What each rank said of itself when it joined, in rank order. */
    public List<byte[]> cards() {
        return cards;
    }

    @Override
    public void publish(String key, byte[] value) {
        Hub.checkKey(key);
        Hub.checkValue(key, value);
        ask("publishing '" + key + "'", Duration.ofSeconds(60), id -> new Message.Publish(id, key, value));
    }

    @Override
    public byte[] lookup(String key, Duration timeout) {
        Hub.checkKey(key);
        return ask("the lookup of '" + key + "'", timeout, id -> new Message.Lookup(id, key, Hub.nanos(timeout)))
                .getFirst();
    }

    @Override
    public List<byte[]> exchange(String key, byte[] mine, Duration timeout) {
        Hub.checkValue(key, mine);
        String what = key.equals(Hub.BARRIER) ? "the barrier" : "the exchange of '" + key + "'";
        return ask(what, timeout, id -> new Message.Exchange(id, key, mine, Hub.nanos(timeout)));
    }

    @Override
    public SortedMap<Integer, byte[]> agree(String key, int[] ranks, byte[] mine, Duration timeout) {
        Hub.checkValue(key, mine);
        return byRank(
                ranks,
                ask(
                        "the agreement '" + key + "'",
                        timeout,
                        id -> new Message.Agree(id, key, ranks, mine, Hub.nanos(timeout))));
    }

    /** The values of an agreement as they travel: one for each rank, empty if that is gone, else behind one byte. */
    static List<byte[]> listed(int[] ranks, Map<Integer, byte[]> values) {
        List<byte[]> list = new ArrayList<>(ranks.length);
        for (int rank : ranks) {
            byte[] value = values.get(rank);
            byte[] each = new byte[value == null ? 0 : value.length + 1];
            if (value != null) {
                System.arraycopy(value, 0, each, 1, value.length);
            }
            list.add(each);
        }
        return list;
    }

    private static SortedMap<Integer, byte[]> byRank(int[] ranks, List<byte[]> list) {
        SortedMap<Integer, byte[]> values = new TreeMap<>();
        for (int i = 0; i < ranks.length; i++) {
            byte[] each = list.get(i);
            if (each.length > 0) {
                values.put(ranks[i], Arrays.copyOfRange(each, 1, each.length));
            }
        }
        return values;
    }

    @Override
    public List<Integer> failedRanks() {
        return List.copyOf(fates.keySet());
    }

    @Override
    public @Nullable String fate(int rank) {
        return fates.get(rank);
    }

    @Override
    public void fail(String how) {
        send(new Message.Ended(how));
    }

    @Override
    public void abort(int exitCode, String reason) {
        send(new Message.Abort(rank, exitCode, reason));
        try {
            // The rendezvous tells every rank, this one included.
            abortHeard.get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // It cannot be reached; its end of the connection will break when this process ends.
        }
    }

    /** Leaves, and stays connected: whoever hosts the rendezvous may watch over this process until it ends. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            send(new Message.Goodbye());
        }
    }

    /** Ends the connection, said goodbye or not. */
    public void disconnect() {
        disconnected = true;
        processes.close();
        connection.close();
    }

    private List<byte[]> ask(String what, Duration timeout, IntFunction<Message> request) {
        int id = nextId.getAndIncrement();
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        try {
            Answer end = over;
            if (end != null) {
                return end.values();
            }
            send(request.apply(id));
            return Standstill.get(answer, Hub.nanos(timeout.plus(GRACE)), "rank " + rank, () -> what)
                    .values();
        } catch (InterruptedException e) {
            throw Hub.interrupted(rank, what, e);
        } catch (TimeoutException | ExecutionException e) {
            throw new CommTimeoutException("rank " + rank + " waited " + Hub.seconds(timeout) + " in " + what
                    + ": the rendezvous does not answer");
        } finally {
            waiting.remove(id);
        }
    }

    /** What a request ends with; an exception is made by the thread that asked. */
    private interface Answer {
        List<byte[]> values();
    }

    /**
     * Sends, and returns when that has been done: whoever leaves may be the end of its process. An interrupt of the
     * thread that asks would close the connection, so another one writes.
     */
    private void send(Message message) {
        Thread writer =
                Thread.ofPlatform().daemon().name("comm4j-rendezvous-sender").start(() -> connection.send(message));
        boolean interrupted = false;
        while (true) {
            try {
                writer.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        String how = "the connection to it was closed";
        String shutOut = null;
        try {
            Message message;
            while ((message = Message.read(connection.in(), Message.LIMIT)) != null) {
                if (message instanceof Message.Refused refused) {
                    shutOut = refused.why();
                } else {
                    heard(message);
                }
            }
        } catch (IOException e) {
            how = hostEnds ? "its process ended" : "the connection to it broke: " + e.getMessage();
        }
        end(how, shutOut);
    }

    private void heard(Message message) {
        switch (message) {
            case Message.Done m -> answered(m.id(), m::values);
            case Message.Failed m ->
                answered(m.id(), () -> {
                    throw exception(m);
                });
            case Message.Gone m -> {
                if (m.failed()) {
                    fates.put(m.rank(), m.how());
                } else if (m.rank() == invitation.hostRank()) {
                    hostLeft = true;
                }
                watcher.gone(m.rank(), m.failed(), m.how());
            }
            case Message.Report m -> {
                watcher.report();
                connection.send(new Message.Reported(m.id()));
            }
            case Message.ProcessId m -> watchHost(m);
            case Message.Abort m -> {
                abortHeard.complete(m.reason());
                watcher.aborted(m.rank(), m.exitCode(), m.reason());
            }
            default ->
                throw new IllegalStateException(
                        "the rendezvous sent a " + message.getClass().getSimpleName());
        }
    }

    /** Ends the connection when the rank that hosts the rendezvous is ending: its system may do so seconds later. */
    private void watchHost(Message.ProcessId process) {
        if (invitation.hostRank() >= 0 && invitation.hostRank() != rank) {
            processes.watch(process, () -> {
                hostEnds = true;
                connection.close();
            });
        }
    }

    private void answered(int id, Answer what) {
        CompletableFuture<Answer> answer = waiting.get(id);
        // None: it was given up meanwhile.
        if (answer != null) {
            answer.complete(what);
        }
    }

    private static RuntimeException exception(Message.Failed m) {
        return switch (m.fault()) {
            case TIMEOUT -> new CommTimeoutException(m.why());
            case RANK_FAILED -> new RankFailedException(m.rank(), m.why());
            case ILLEGAL_STATE -> new IllegalStateException(m.why());
            case OTHER -> new CommException(m.why());
        };
    }

    private void end(String how, @Nullable String shutOut) {
        int host = invitation.hostRank();
        boolean hostDied = host >= 0 && shutOut == null && !hostLeft && !disconnected;
        Answer end = () -> {
            if (disconnected) {
                throw new CommException("rank " + rank + " has left the rendezvous");
            } else if (shutOut != null) {
                throw new CommException("rank " + rank + ": " + shutOut);
            } else if (host < 0) {
                throw new CommException(
                        "rank " + rank + ": the launcher, which hosted the rendezvous, is gone: " + how);
            }
            throw new RankFailedException(
                    host,
                    "rank " + rank + ": rank " + host + ", which hosted the rendezvous, "
                            + (hostDied ? "died: " + how : "has closed its world and ended"));
        };
        over = end;
        processes.close();
        connection.close();
        if (hostDied) {
            fates.putIfAbsent(host, "died: " + how);
            watcher.gone(host, true, "died: " + how);
        }
        // Whoever registered before it could see the end is woken here; whoever registers later sees it.
        waiting.values().forEach(answer -> answer.complete(end));
        if (!disconnected) {
            watcher.hostLost(how);
        }
    }
}
