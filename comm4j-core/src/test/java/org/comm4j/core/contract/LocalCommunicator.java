// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/**
 * The simplest engine that there can be, to test the contract itself: ranks are threads, everybody posts a copy of what
 * it sends and picks up what it wants. {@link Bug} makes it wrong, to see that the contract notices.
 */
class LocalCommunicator extends AbstractCommunicator {

    /** What can be planted. */
    enum Bug {
        NONE,
        REVERSED_ORDER,
        LAST_ELEMENT_MISSING,
        ONE_TOO_FAR,
        WRONG_ROOT,
        LAST_RANK_FORGOTTEN,
        MESSAGES_OVERTAKE,
        BARRIER_DOES_NOT_WAIT,
        SENDER_CHANGED,
        TOO_MUCH_PROMISED
    }

    /** What kind of engine it is. */
    enum Kind {
        NEAR,
        /** Communicates {@link FarArray}s and nothing else, and lacks reductions of {@code INT16}. */
        FAR
    }

    /** What the ranks share. */
    private record Board(
            Map<Object, Object> posts, AtomicReference<@Nullable Integer> dead, Bug bug, boolean checked, Kind kind) {}

    /** What a rank posts: its call, and a copy of what it sends. */
    private record Post(Call call, @Nullable HostArray data, String signature) {}

    private record Key(Object communicator, long number, int rank) {}

    private record Channel(Object communicator, int from, int to) {}

    private final Board board;
    private final Object id;
    private long number;

    private LocalCommunicator(Board board, Object id, int rank, int size) {
        super("local", rank, size);
        this.board = board;
        this.id = id;
    }

    /** Runs {@code body} on {@code ranks} threads. */
    static void run(int ranks, RankBody body, Bug bug, boolean checked, Kind kind) throws Exception {
        Board board = new Board(new ConcurrentHashMap<>(), new AtomicReference<>(), bug, checked, kind);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("rank ", 0).factory())) {
            List<Future<?>> ends = new ArrayList<>();
            for (int r = 0; r < ranks; r++) {
                int rank = r;
                ends.add(threads.submit(() -> {
                    try (Communicator comm = new LocalCommunicator(board, "world", rank, ranks)) {
                        body.run(comm);
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                        board.dead.compareAndSet(null, rank);
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        if (failure.get() != null) {
            throw new ExecutionException(failure.get().getMessage(), failure.get());
        }
    }

    @Override
    public Buffer allocate(DataType type, long count) {
        Arena arena = Arena.ofShared();
        HostArray memory = HostArray.allocate(arena, type, count);
        return own(board.kind == Kind.FAR ? new FarArray(memory) : memory, arena::close);
    }

    /** Whether an engine of this kind has a call. */
    static boolean supports(Kind kind, DataType type, @Nullable ReduceOp op) {
        return kind == Kind.NEAR || op == null || type != DataType.INT16;
    }

    private void checkSupported(Call call) {
        if (call.type() != null
                && !supports(board.kind, call.type(), call.op())
                && board.bug != Bug.TOO_MUCH_PROMISED) {
            throw new UnsupportedOperationException(call + " on rank " + rank() + " of " + size());
        }
    }

    private HostArray memory(Buffer buffer) {
        return board.kind == Kind.FAR ? ((FarArray) buffer).memory : (HostArray) buffer;
    }

    @Override
    protected void execute(Call call) {
        checkSupported(call);
        if (board.bug == Bug.BARRIER_DOES_NOT_WAIT && call.kind() == Call.Kind.BARRIER) {
            return;
        }
        switch (call.kind()) {
            case SEND -> channel(rank(), call.peer()).add(new Post(call, copy(call.send()), call.toString()));
            case RECV -> receive(call);
            default -> collect(call, exchange(call, call.toString()));
        }
    }

    @Override
    protected void executeGroup(List<Call> calls) {
        calls.forEach(this::checkSupported);
        calls.stream().filter(call -> call.kind() == Call.Kind.SEND).forEach(this::execute);
        calls.stream().filter(call -> call.kind() != Call.Kind.SEND).forEach(this::execute);
    }

    /** Posts and waits for the posts of all. */
    private List<Post> exchange(Call call, String more) {
        long turn = number++;
        String signature = call.kind() + " " + call.type() + " " + call.op() + " " + call.count() + " "
                + (call.kind().isPointToPoint() ? -1 : call.peer());
        board.posts.put(new Key(id, turn, rank()), new Post(snapshot(call), copy(call.send()), signature + "/" + more));
        List<Post> all = new ArrayList<>();
        for (int r = 0; r < size(); r++) {
            Key key = new Key(id, turn, r);
            all.add(await(call, r, () -> (Post) board.posts.get(key)));
        }
        // Whoever has posted this one has done with the one before.
        board.posts.remove(new Key(id, turn - 1, rank()));
        if (board.checked && call.kind() != Call.Kind.SPLIT) {
            compare(all);
        }
        return all;
    }

    private Call snapshot(Call call) {
        Call copy = new Call(rank(), size());
        if (call.kind() == Call.Kind.ALL_TO_ALL_V) {
            copy.allToAllV(
                    call.send(),
                    call.sendCounts().clone(),
                    call.sendOffsets().clone(),
                    call.recv(),
                    call.recvCounts().clone(),
                    call.recvOffsets().clone());
        }
        return copy;
    }

    private void compare(List<Post> all) {
        StringBuilder text = new StringBuilder();
        boolean equal = true;
        for (int r = 0; r < size(); r++) {
            String[] parts = all.get(r).signature.split("/", 2);
            equal &= parts[0].equals(all.getFirst().signature.split("/", 2)[0]);
            text.append("\n  rank ").append(r).append(" called ").append(parts[1]);
        }
        if (!equal) {
            throw new CollectiveMismatchException("ranks of " + this + " called different things:" + text);
        }
    }

    private <T> T await(Call call, int from, Supplier<@Nullable T> look) {
        long start = System.nanoTime();
        for (T seen = look.get(); ; seen = look.get()) {
            if (seen != null) {
                return seen;
            }
            if (board.dead.get() != null) {
                throw new RankFailedException(
                        board.dead.get(),
                        "rank " + board.dead.get() + " failed while rank " + rank() + " waited in " + call);
            }
            if (timeoutNanos() > 0 && System.nanoTime() - start > timeoutNanos()) {
                throw new CommTimeoutException("rank " + rank() + " of " + size() + " waited "
                        + timeout().toMillis() + " ms in " + call + " for rank " + from);
            }
            Thread.yield();
        }
    }

    private void collect(Call call, List<Post> all) {
        long n = call.count();
        HostArray recv = call.recv() == null ? null : memory(call.recv());
        if (board.bug == Bug.SENDER_CHANGED
                && call.send() != null
                && call.send().count() > 1) {
            memory(call.send()).segment().fill((byte) 1);
        }
        if (recv == null || recv.count() == 0 && board.bug != Bug.ONE_TOO_FAR) {
            return;
        }
        int root = board.bug == Bug.WRONG_ROOT ? 0 : call.peer();
        switch (call.kind()) {
            case ALL_REDUCE, REDUCE -> reduce(call, all, recv, 0, n);
            case REDUCE_SCATTER -> reduce(call, all, recv, rank() * n, n);
            case BROADCAST -> put(recv, 0, data(all, root).slice(0, n));
            case SCATTER -> put(recv, 0, data(all, call.peer()).slice(rank() * n, n));
            case ALL_GATHER, GATHER -> {
                for (int r = 0; r < size(); r++) {
                    put(recv, r * n, data(all, r));
                }
            }
            case ALL_GATHER_V -> {
                for (int r = 0; r < size(); r++) {
                    put(recv, call.recvOffsets()[r], data(all, r));
                }
            }
            case ALL_TO_ALL -> {
                for (int r = 0; r < size(); r++) {
                    put(recv, r * n, data(all, r).slice(rank() * n, n));
                }
            }
            case ALL_TO_ALL_V -> {
                for (int r = 0; r < size(); r++) {
                    Call sender = all.get(r).call;
                    long from = sender.sendOffsets()[rank()];
                    put(recv, call.recvOffsets()[r], data(all, r).slice(from, sender.sendCounts()[rank()]));
                }
            }
            default -> {}
        }
    }

    private void reduce(Call call, List<Post> all, HostArray recv, long from, long count) {
        List<HostArray> inputs = new ArrayList<>();
        all.forEach(post -> inputs.add(post.data.slice(from, count)));
        if (board.bug == Bug.REVERSED_ORDER) {
            Collections.reverse(inputs);
        }
        if (board.bug == Bug.LAST_RANK_FORGOTTEN && size() > 1) {
            inputs.removeLast();
        }
        HostArray result = HostArray.allocate(recv.type(), count);
        Reference.reduce(call.op(), inputs.toArray(HostArray[]::new), result);
        put(recv, 0, result);
    }

    @SuppressWarnings("restricted")
    private void put(HostArray target, long at, HostArray data) {
        long count = data.count() - (board.bug == Bug.LAST_ELEMENT_MISSING && data.count() > 0 ? 1 : 0);
        target.slice(at, count).copyFrom(data.slice(0, count));
        if (board.bug == Bug.ONE_TOO_FAR) {
            target.segment().reinterpret(target.byteSize() + 1).set(JAVA_BYTE, target.byteSize(), (byte) 0);
        }
    }

    private static HostArray data(List<Post> all, int rank) {
        return all.get(rank).data;
    }

    private @Nullable HostArray copy(@Nullable Buffer buffer) {
        if (buffer == null) {
            return null;
        }
        HostArray copy = HostArray.allocate(buffer.type(), buffer.count());
        copy.copyFrom(memory(buffer));
        return copy;
    }

    @SuppressWarnings("unchecked")
    private Queue<Post> channel(int from, int to) {
        return (Queue<Post>)
                board.posts.computeIfAbsent(new Channel(id, from, to), key -> new ConcurrentLinkedQueue<>());
    }

    private void receive(Call call) {
        Queue<Post> queue = channel(call.peer(), rank());
        Post post = await(call, call.peer(), queue::poll);
        Post next = board.bug == Bug.MESSAGES_OVERTAKE ? queue.poll() : null;
        if (next != null) {
            queue.add(post);
            post = next;
        }
        if (board.checked && (post.data.type() != call.type() || post.data.count() != call.count())) {
            throw new CollectiveMismatchException("rank " + rank() + " of " + size() + ": " + call
                    + " receives what rank " + call.peer() + " sent by " + post.signature);
        }
        put(memory(call.recv()), 0, post.data);
    }

    @Override
    protected @Nullable Communicator executeSplit(Call call, int color, int key) {
        long turn = number;
        List<Post> all = exchange(call, color + "," + key);
        if (color < 0) {
            return null;
        }
        int[][] members = new int[size()][];
        int count = 0;
        for (int r = 0; r < size(); r++) {
            String[] theirs = all.get(r).signature.split("/")[1].split(",");
            if (Integer.parseInt(theirs[0]) == color) {
                members[count++] = new int[] {Integer.parseInt(theirs[1]), r};
            }
        }
        Arrays.sort(
                members, 0, count, (a, b) -> a[0] != b[0] ? Integer.compare(a[0], b[0]) : Integer.compare(a[1], b[1]));
        for (int i = 0; i < count; i++) {
            if (members[i][1] == rank()) {
                return new LocalCommunicator(board, List.of(id, turn, color), i, count);
            }
        }
        throw new AssertionError();
    }

    @Override
    public List<Integer> failedRanks() {
        return List.of();
    }

    @Override
    protected Communicator executeShrink() {
        throw new UnsupportedOperationException("nobody dies here");
    }

    @Override
    protected void release() {}

    @Override
    public String toString() {
        return "LocalCommunicator[" + id + "]";
    }
}
