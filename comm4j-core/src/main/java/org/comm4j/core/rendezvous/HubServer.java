// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.comm4j.core.rendezvous.Message.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Offers a {@link Hub} to the ranks of a job: on one machine over a Unix-domain socket, whose kernel says whose
 * processes connect; between machines over TCP to peers that prove that they know the token. Platform threads
 * throughout: one listens, one reads per connection, and one per request that waits. A program's own virtual threads
 * can therefore never starve it.
 */
public final class HubServer implements AutoCloseable {

    /** How long a connection may take to say and prove who it is, all in all. */
    private static final Duration GREETING = Duration.ofSeconds(5);

    /** How many connections beyond the job's ranks may be busy with that. One more, and the oldest has to go. */
    private static final int STRANGERS = 64;

    private final Hub hub;
    private final String token;
    private final Duration greeting;
    private final ServerSocketChannel listener;
    private final SocketAddress address;
    // As many threads as there is work; after close() nothing new is begun.
    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("comm4j-rendezvous-", 0).factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    private final Set<Guest> guests = ConcurrentHashMap.newKeySet();
    /** Those that have not shown yet that they belong to the job, the oldest first. */
    private final Deque<Guest> strangers = new ArrayDeque<>();

    private final Map<Integer, Guest> members = new ConcurrentHashMap<>();
    /** The members, and those that have left since, but whose process is still there. */
    private final Map<Integer, Guest> reachable = new ConcurrentHashMap<>();

    private final ProcessWatch processes = new ProcessWatch();
    private final AtomicInteger reports = new AtomicInteger();
    private final Map<Integer, Set<Integer>> reporting = new ConcurrentHashMap<>();

    private HubServer(Hub hub, String token, Duration greeting, ServerSocketChannel listener) throws IOException {
        this.hub = hub;
        this.token = token;
        this.greeting = greeting;
        this.listener = listener;
        this.address = listener.getLocalAddress();
    }

    /** 128 random bits, in hexadecimal. */
    public static String newToken() {
        byte[] bits = new byte[16];
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /**
     * Opens the rendezvous.
     *
     * @param address where to listen: a path, or a TCP port, of which 0 takes a free one
     * @throws RendezvousException if that is not possible
     */
    public static HubServer open(Hub hub, SocketAddress address, String token) {
        return open(hub, address, token, GREETING);
    }

    static HubServer open(Hub hub, SocketAddress address, String token, Duration greeting) {
        ServerSocketChannel listener = null;
        HubServer server;
        try {
            if (address instanceof UnixDomainSocketAddress) {
                listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            } else {
                listener = ServerSocketChannel.open().setOption(StandardSocketOptions.SO_REUSEADDR, true);
            }
            listener.bind(address, Math.max(50, hub.size()));
            server = new HubServer(hub, token, greeting, listener);
        } catch (IOException | RuntimeException e) {
            closeQuietly(listener);
            throw new RendezvousException(
                    "the rendezvous cannot listen on " + Invitation.text(address) + ": " + e.getMessage(), e);
        }
        hub.watch(new Watcher() {
            @Override
            public void gone(int rank, boolean failed, String how) {
                server.tellAll(new Message.Gone(rank, failed, how));
            }

            @Override
            public void aborted(int rank, int exitCode, String reason) {
                server.tellAll(new Message.Abort(rank, exitCode, reason));
            }
        });
        server.threads.execute(server::listen);
        return server;
    }

    /** Where it listens. */
    public SocketAddress address() {
        return address;
    }

    private void listen() {
        while (listener.isOpen()) {
            SocketChannel channel = null;
            try {
                channel = listener.accept();
                admit(new Guest(new Connection(channel)));
            } catch (Throwable e) {
                // Out of file handles, threads or memory, most likely: whatever it is, others must be able to come
                // later.
                closeQuietly(channel);
                if (listener.isOpen()) {
                    pause(100);
                }
            }
        }
    }

    /** Lets a connection say who it is, for a while. */
    private void admit(Guest guest) {
        Guest oldest = null;
        synchronized (strangers) {
            strangers.add(guest);
            if (strangers.size() > STRANGERS + hub.size()) {
                oldest = strangers.remove();
            }
        }
        guests.add(guest);
        try {
            if (oldest != null) {
                oldest.dismiss("it had not said yet who it is when too many others came");
            }
            threads.execute(guest::serve);
        } catch (Throwable e) {
            guest.close();
            throw e;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellAll(Message message) {
        tell(members.values(), message);
    }

    private void tell(Collection<Guest> whom, Message message) {
        for (Guest member : whom) {
            // Each on its own thread: a peer that is stopped and reads nothing holds up nobody else.
            inThread(() -> member.connection.send(message));
        }
    }

    /** Runs something in a thread of its own; in this one where the system gives us no other. */
    private void inThread(Runnable task) {
        try {
            threads.execute(task);
        } catch (OutOfMemoryError e) {
            task.run();
        }
    }

    /**
     * Has the ranks that are connected write on their standard error what they are doing, and waits until they have.
     *
     * @return those that have not, in ascending order
     */
    public List<Integer> report(Duration patience) throws InterruptedException {
        int id = reports.incrementAndGet();
        Set<Integer> missing = new TreeSet<>(reachable.keySet());
        reporting.put(id, missing);
        try {
            tell(reachable.values(), new Message.Report(id));
            long deadline = System.nanoTime() + patience.toNanos();
            synchronized (missing) {
                for (long left; !missing.isEmpty() && (left = deadline - System.nanoTime()) > 0; ) {
                    TimeUnit.NANOSECONDS.timedWait(missing, left);
                }
                return List.copyOf(missing);
            }
        } finally {
            reporting.remove(id);
        }
    }

    /** The ranks that are connected now. */
    public Set<Integer> connected() {
        return Set.copyOf(reachable.keySet());
    }

    private void reported(int id, int rank) {
        Set<Integer> missing = reporting.get(id);
        if (missing != null) {
            synchronized (missing) {
                missing.remove(rank);
                missing.notifyAll();
            }
        }
    }

    /** Ends all connections and stops listening. */
    @Override
    public void close() {
        closeQuietly(listener);
        processes.close();
        guests.forEach(Guest::close);
        threads.shutdown();
    }

    static void closeQuietly(@Nullable AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            // It is not used any more either way.
        }
    }

    /** Whoever has connected: a stranger at first, a rank perhaps later. */
    private final class Guest {
        private final Connection connection;
        private boolean judged;
        private volatile boolean processEnds;
        private @Nullable AutoCloseable watch;

        Guest(Connection connection) {
            this.connection = connection;
        }

        void close() {
            guests.remove(this);
            synchronized (strangers) {
                strangers.remove(this);
            }
            connection.close();
        }

        void serve() {
            try {
                Message.Hello hello = greet();
                if (hello != null) {
                    serve(hello.rank());
                }
            } finally {
                close();
            }
        }

        /** The peer's hello if it may come in; else it has been told why not. */
        private Message.@Nullable Hello greet() {
            Future<?> deadline = Connection.after(
                    greeting, () -> dismiss("it did not say who it is within " + Hub.seconds(greeting)));
            Message.Hello hello;
            try {
                hello = hello();
            } catch (IOException | RendezvousException e) {
                if (judge()) {
                    refuse(String.valueOf(e.getMessage()));
                }
                return null;
            } finally {
                deadline.cancel(false);
            }
            if (!judge()) {
                return null;
            }
            try {
                hub.arrive(hello.rank());
            } catch (RendezvousException e) {
                refuse(String.valueOf(e.getMessage()));
                return null;
            }
            members.put(hello.rank(), this);
            reachable.put(hello.rank(), this);
            inThread(() -> join(hello));
            return hello;
        }

        /** What it says of itself, if that is true. */
        private Message.Hello hello() throws IOException {
            boolean local = connection.isLocal();
            String user = local ? connection.stranger() : null;
            if (user != null) {
                throw new RendezvousException("its user is " + user + ", the job's is "
                        + Connection.myself().getName() + "; all processes of a job have to be one user's");
            }
            ByteBuffer preamble = ByteBuffer.wrap(connection.in().readNBytes(Message.MAGIC.length + Short.BYTES));
            if (!Arrays.equals(preamble.array(), 0, Math.min(6, preamble.capacity()), Message.MAGIC, 0, 6)
                    || preamble.capacity() < 8) {
                throw new RendezvousException("it does not speak comm4j's protocol");
            }
            if (preamble.getShort(6) != Message.VERSION) {
                throw new RendezvousException("it speaks version " + preamble.getShort(6)
                        + " of the protocol, this job version " + Message.VERSION + "; all ranks need the same comm4j");
            }
            byte[] challenge = local ? new byte[0] : Proof.nonce();
            if (!local) {
                connection.send(new Message.Challenge(challenge));
            }
            if (!(Message.read(connection.in(), Message.HELLO_LIMIT) instanceof Message.Hello hello)) {
                throw new RendezvousException("it did not say who it is");
            }
            if (!local) {
                if (!Proof.isNonce(hello.nonce())
                        || !Proof.same(hello.proof(), Proof.ofRank(token, challenge, hello))) {
                    throw new RendezvousException("wrong token");
                }
                connection.send(new Message.Proven(Proof.ofRendezvous(token, challenge, hello.nonce())));
            }
            if (hello.size() != hub.size()) {
                throw new RendezvousException("rank " + hello.rank() + " says that the job has " + hello.size()
                        + " ranks, the rendezvous expects " + hub.size());
            }
            return hello;
        }

        /** Ends the time in which it is nobody yet; false if that has ended before. */
        private boolean judge() {
            synchronized (strangers) {
                boolean first = !judged;
                judged = true;
                strangers.remove(this);
                return first;
            }
        }

        /** Turns it away, unless it has come in meanwhile. */
        void dismiss(String why) {
            if (judge()) {
                refuse(why);
                close();
            }
        }

        private void refuse(String why) {
            hub.remark("a connection from " + connection.peer() + ": " + why);
            connection.send(new Message.Refused(why));
        }

        private void join(Message.Hello hello) {
            try {
                connection.send(new Message.Welcome(
                        hub.join(hello.rank(), bytes(hello.card()), Duration.ofNanos(hello.timeoutNanos()))));
            } catch (RuntimeException e) {
                connection.send(new Message.Refused(String.valueOf(e.getMessage())));
            }
        }

        private void serve(int rank) {
            try {
                Message message;
                while ((message = Message.read(connection.in(), Message.LIMIT)) != null) {
                    take(rank, message);
                }
                hub.fail(rank, "died: its connection ended without goodbye");
            } catch (Message.MalformedException e) {
                connection.send(new Message.Refused(
                        "the rendezvous received " + e.getMessage() + ", and ends this connection"));
                hub.fail(rank, "was shut out: it sent " + e.getMessage());
            } catch (IOException e) {
                hub.fail(
                        rank,
                        processEnds
                                ? "died: its process ended without goodbye"
                                : "died: its connection broke (" + e.getMessage() + ")");
            } catch (Error e) {
                // Whoever waits for this rank has to hear of it all the same.
                hub.fail(rank, "was shut out: the rendezvous could not go on (" + e + ")");
            } finally {
                members.remove(rank, this);
                reachable.remove(rank, this);
                closeQuietly(watch);
            }
        }

        /** Ends the connection when the process is ending: its system may do so seconds later. */
        private void watch(Message.ProcessId process) {
            watch = processes.watch(process, () -> {
                processEnds = true;
                connection.close();
            });
            Message.ProcessId self = ProcessWatch.self();
            if (self != null) {
                connection.send(self);
            }
        }

        private void take(int rank, Message message) throws Message.MalformedException {
            switch (message) {
                case Message.Publish m ->
                    answer(m.id(), () -> {
                        hub.publish(rank, m.key(), m.value());
                        return List.of();
                    });
                case Message.Lookup m ->
                    inThread(() -> answer(
                            m.id(), () -> List.of(hub.lookup(rank, m.key(), Duration.ofNanos(m.timeoutNanos())))));
                case Message.Exchange m ->
                    inThread(() -> answer(
                            m.id(), () -> hub.exchange(rank, m.key(), m.value(), Duration.ofNanos(m.timeoutNanos()))));
                case Message.Agree m ->
                    inThread(() -> answer(
                            m.id(),
                            () -> HubClient.listed(
                                    m.ranks(),
                                    hub.agree(
                                            rank, m.key(), m.ranks(), m.value(), Duration.ofNanos(m.timeoutNanos())))));
                case Message.Goodbye _ -> {
                    members.remove(rank, this);
                    hub.leave(rank);
                }
                case Message.Ended m -> hub.end(rank, m.how());
                case Message.Abort m -> hub.abort(rank, m.exitCode(), m.reason());
                case Message.ProcessId m -> watch(m);
                case Message.Reported m -> reported(m.id(), rank);
                default ->
                    throw new Message.MalformedException(
                            "a " + message.getClass().getSimpleName() + " message, which only the rendezvous sends");
            }
        }

        private void answer(int id, Answer answer) {
            Message reply;
            try {
                reply = new Message.Done(id, answer.values());
            } catch (RankFailedException e) {
                reply = failed(id, Fault.RANK_FAILED, e.failedRank(), e);
            } catch (CommTimeoutException e) {
                reply = failed(id, Fault.TIMEOUT, -1, e);
            } catch (IllegalStateException e) {
                reply = failed(id, Fault.ILLEGAL_STATE, -1, e);
            } catch (RuntimeException e) {
                reply = failed(id, Fault.OTHER, -1, e);
            }
            // Its abort is on the way to every rank and must not be overtaken by what it did to this call.
            if (reply instanceof Message.Done || !hub.isAborted()) {
                connection.send(reply);
            }
        }

        private static Message failed(int id, Fault fault, int rank, RuntimeException e) {
            return new Message.Failed(id, fault, rank, String.valueOf(e.getMessage()));
        }
    }

    private interface Answer {
        List<byte[]> values();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
