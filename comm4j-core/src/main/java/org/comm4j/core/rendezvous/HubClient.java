// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.jspecify.annotations.Nullable;

/** A rank's connection to the {@link HubServer}. */
public final class HubClient implements Membership {

    /** How much later than the rendezvous a rank runs out of patience: the other side knows better what is missing. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Invitation invitation;
    private final int rank;
    private final Socket socket;
    private final OutputStream out;
    private final Watcher watcher;
    private final List<byte[]> cards;
    private final AtomicInteger nextId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
    private final Set<Integer> failed = new ConcurrentSkipListSet<>();
    private final CompletableFuture<String> abortHeard = new CompletableFuture<>();
    private volatile @Nullable Answer over;
    private volatile boolean disconnected;
    private volatile boolean hostLeft;
    private boolean closed;

    private HubClient(Invitation invitation, int rank, Socket socket, List<byte[]> cards, Watcher watcher)
            throws IOException {
        this.invitation = invitation;
        this.rank = rank;
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.cards = cards;
        this.watcher = watcher;
    }

    private HubClient start(DataInputStream in, List<Message> early) {
        Thread.ofPlatform().daemon().name("comm4j-rendezvous").start(() -> {
            early.forEach(this::heard);
            listen(in);
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
        long deadline = System.nanoTime() + Hub.nanos(timeout);
        String obstacle = "";
        while (true) {
            Invitation invitation = address.get();
            long left = deadline - System.nanoTime();
            if (invitation != null && (left > 0 || obstacle.isEmpty())) {
                try {
                    return join(invitation, rank, size, card, Duration.ofNanos(Math.max(left, 1)), timeout, watcher);
                } catch (IOException e) {
                    obstacle = HubServer.text(invitation.address()) + " does not answer (" + e.getMessage() + ")";
                    if (!retry) {
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

    private static HubClient join(
            Invitation invitation, int rank, int size, byte[] card, Duration left, Duration timeout, Watcher watcher)
            throws IOException {
        Socket socket = new Socket();
        boolean joined = false;
        try {
            InetSocketAddress at = invitation.address();
            connect(socket, new InetSocketAddress(at.getHostString(), at.getPort()), left);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            socket.setSoTimeout(millis(left.plus(GRACE)));
            OutputStream out = socket.getOutputStream();
            out.write(Message.preamble());
            new Message.Hello(invitation.token(), rank, size, new String(card, StandardCharsets.UTF_8), left.toNanos())
                    .write(out);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            // Another rank may have come and gone before we are told that all are here.
            List<Message> early = new ArrayList<>();
            Message message = Message.read(in, Message.LIMIT);
            while (message instanceof Message.Gone) {
                early.add(message);
                message = Message.read(in, Message.LIMIT);
            }
            HubClient client = switch (message) {
                case Message.Welcome welcome -> {
                    socket.setSoTimeout(0);
                    yield new HubClient(invitation, rank, socket, welcome.cards(), watcher).start(in, early);
                }
                case Message.Refused refused ->
                    throw new RendezvousException("rank " + rank + ": the rendezvous at " + HubServer.text(at)
                            + " answers: " + refused.why());
                case Message.Abort abort ->
                    throw new RendezvousException("rank " + rank + " cannot join: "
                            + Hub.abortMessage(abort.rank(), abort.exitCode(), abort.reason()));
                case null -> throw new IOException("it closed the connection");
                default -> throw new IOException("it does not speak comm4j's protocol");
            };
            joined = true;
            return client;
        } catch (SocketTimeoutException e) {
            throw new RendezvousException(
                    "rank " + rank + " of " + size + ": the rendezvous at " + HubServer.text(invitation.address())
                            + " said nothing for " + Hub.seconds(timeout),
                    e);
        } finally {
            if (!joined) {
                HubServer.closeQuietly(socket);
            }
        }
    }

    private static void connect(Socket socket, InetSocketAddress address, Duration left) throws IOException {
        try {
            socket.connect(address, millis(left));
        } catch (SocketTimeoutException e) {
            throw new IOException("no connection", e);
        }
        // Whoever knocks often enough at a port of this machine that nobody listens on may be connected to himself.
        if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
            throw new IOException("nobody listens there");
        }
    }

    private static int millis(Duration duration) {
        return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
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
    public List<Integer> failedRanks() {
        return List.copyOf(failed);
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
        HubServer.closeQuietly(socket);
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
            return answer.get(Hub.nanos(timeout.plus(GRACE)), TimeUnit.NANOSECONDS)
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

    private void send(Message message) {
        try {
            synchronized (out) {
                message.write(out);
            }
        } catch (IOException e) {
            // The listening thread finds out too, and ends all waits.
        }
    }

    private void listen(DataInputStream in) {
        String how = "the connection to it was closed";
        String shutOut = null;
        try {
            Message message;
            while ((message = Message.read(in, Message.LIMIT)) != null) {
                if (message instanceof Message.Refused refused) {
                    shutOut = refused.why();
                } else {
                    heard(message);
                }
            }
        } catch (IOException e) {
            how = "the connection to it broke: " + e.getMessage();
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
                    failed.add(m.rank());
                } else if (m.rank() == invitation.hostRank()) {
                    hostLeft = true;
                }
                watcher.gone(m.rank(), m.failed(), m.how());
            }
            case Message.Abort m -> {
                abortHeard.complete(m.reason());
                watcher.aborted(m.rank(), m.exitCode(), m.reason());
            }
            default ->
                throw new IllegalStateException(
                        "the rendezvous sent a " + message.getClass().getSimpleName());
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
        HubServer.closeQuietly(socket);
        if (hostDied) {
            failed.add(host);
            watcher.gone(host, true, "died: " + how);
        }
        // Whoever registered before it could see the end is woken here; whoever registers later sees it.
        waiting.values().forEach(answer -> answer.complete(end));
        if (!disconnected) {
            watcher.hostLost(how);
        }
    }
}
