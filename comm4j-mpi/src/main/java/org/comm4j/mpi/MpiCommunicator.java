// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.core.spi.Peers;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * A communicator over MPI. Operations are non-blocking in MPI and polled ({@code MPI_Test}), so that a wait ends with a
 * limit, an interrupt or the death of a rank. MPI cannot cancel what was given up: its buffers are kept for ever then,
 * and MPI is not ended properly.
 *
 * <p>Large collectives of Open MPI are faster as blocking functions. The ranks meet by a polled barrier before, and a
 * communicator with a limit calls them on a thread of its own. {@link MpiOptions#blocking} calls nothing but MPI's
 * blocking functions.
 *
 * <p>Counts may exceed what an {@code int} holds, with every library. Memory of devices goes through copies on the
 * host.
 */
public final class MpiCommunicator extends AbstractCommunicator {
    private final MpiProcess process;
    private final MpiTypes types;
    private final long handle;
    private final Peers peers;
    private final MpiWaiting waiting;
    private final MpiOptions options;
    private final Ways ways;
    private final Watched watched;
    private final Runnable startBlocking = this::startBlocking;
    private @Nullable Call blocked;
    private @Nullable Step blockedStep;
    private @Nullable Requests blockedRequests;
    private final Arena memory = Arena.ofShared();

    private final Tagged tagged;
    /** The tag of the message under way; −1 for operations of the common interface. */
    private int tag = -1;

    private Requests requests;
    private Step step;
    private boolean abandoned;

    MpiCommunicator(MpiProcess process, long handle, int rank, int size, Peers peers, MpiOptions options) {
        super(MpiEngine.NAME, rank, size);
        this.process = process;
        this.types = process.types();
        this.handle = handle;
        this.peers = peers;
        this.waiting = new MpiWaiting("rank " + rank + " of " + size, peers, size, process.leavers());
        this.options = options;
        this.ways = new Ways(options, process.abi().family());
        this.watched = new Watched(waiting, "rank " + rank);
        this.requests = new Requests(process, types);
        this.step = newStep();
        this.tagged = new Tagged(process, process.split(handle, 0, rank));
    }

    private void startBlocking() {
        Objects.requireNonNull(blockedStep)
                .start(Objects.requireNonNull(blocked), Objects.requireNonNull(blockedRequests), true);
    }

    private Step newStep() {
        return new Step(process, types, handle, rank(), size());
    }

    /**
     * The communicator's handle in C, {@code MPI_Comm}, for a library in this process that calls MPI itself: an address
     * with Open MPI and the standard interface, a number of 32 bits with MPICH. Whoever sends by it takes tags from 3
     * on.
     */
    public long handle() {
        return handle;
    }

    @Override
    public Buffer allocate(DataType type, long count) {
        if (!isOpen()) {
            throw new IllegalStateException("allocate on " + this + ": it is closed");
        }
        return HostArray.allocate(memory, type, count);
    }

    @Override
    public List<Integer> failedRanks() {
        return peers.failedRanks();
    }

    @Override
    protected void execute(Call call) {
        if (CheckedMode.ON && tag < 0) {
            executeGroup(List.of(call));
            return;
        }
        checkLiving(call);
        requests.clear();
        Step each = tag < 0 ? step : new Step(process, types, handle, rank(), size(), tagged.comm(), tag);
        boolean done = false;
        try {
            if (ways.meets(call)) {
                process.check(LibMpi.MPI_Ibarrier(handle, requests.next(call)), "MPI_Ibarrier");
                await(call);
                requests.clear();
                blocked = call;
                blockedStep = step;
                blockedRequests = requests;
                watched.run(startBlocking, call, timeoutNanos());
            } else {
                each.start(call, requests, ways.isBlocking());
            }
            await(call);
            done = true;
        } finally {
            giveUpUnless(done, each);
        }
        each.finish();
    }

    // ---- messages with tags

    /**
     * Sends {@code buffer} to {@code peer} with a tag ({@code MPI_Send}). Returns when the buffer may be used again,
     * which may need the receiver. Such messages are received by {@link #receive} only.
     *
     * @param tag from 0 on; every library takes 32767
     */
    public void send(Buffer buffer, int peer, int tag) {
        checkTag("send", tag, false);
        Call call = begin("send");
        try {
            this.tag = tag;
            run(call.send(buffer, peer));
        } finally {
            this.tag = -1;
            done();
        }
    }

    /**
     * Receives a message with a tag into the beginning of {@code buffer}, which may be larger ({@code MPI_Recv}).
     * Messages that fit are received in the order of their sending.
     *
     * @param peer who sends, or {@link Mpi#ANY_SOURCE}
     * @param tag what it is sent with, or {@link Mpi#ANY_TAG}
     * @return who sent it, with which tag, and how many elements
     * @throws CollectiveMismatchException if the message is larger than {@code buffer}, or no whole number of its
     *     elements; it can be received by another call
     */
    public Received receive(Buffer buffer, int peer, int tag) {
        String where = "receive on rank " + rank() + " of " + size();
        Arguments.nonNull(buffer, where, "buffer");
        checkTag("receive", tag, true);
        checkSource("receive", peer);
        Call call = begin("receive");
        try {
            Received message = awaitMessage(peer, tag, buffer.type(), where);
            if (message.count() < 0 || message.count() > buffer.count()) {
                throw new CollectiveMismatchException(where + ": the message of rank " + message.rank() + " with tag "
                        + message.tag() + " has "
                        + (message.count() < 0 ? "no whole number of elements" : message.count() + " elements")
                        + ", and the buffer is " + buffer + "; receive it into another one");
            }
            this.tag = message.tag();
            run(call.recv(buffer.slice(0, message.count()), message.rank()));
            return message;
        } finally {
            this.tag = -1;
            done();
        }
    }

    /**
     * Waits for a message with a tag, and leaves it to be received ({@code MPI_Probe}). Arguments as of {@link
     * #receive}.
     *
     * @param type in which its elements are counted; −1 if it is no whole number of them
     */
    public Received probe(int peer, int tag, DataType type) {
        String where = "probe on rank " + rank() + " of " + size();
        Arguments.nonNull(type, where, "type");
        checkTag("probe", tag, true);
        checkSource("probe", peer);
        Call ignored = begin("probe");
        try {
            return awaitMessage(peer, tag, type, where);
        } finally {
            done();
        }
    }

    private Received awaitMessage(int peer, int tag, DataType type, String where) {
        if (process.hasEnded()) {
            throw new IllegalStateException(where + ": MPI has ended, with the World that was closed");
        }
        AtomicReference<@Nullable Received> message = new AtomicReference<>();
        waiting.source(peer);
        try {
            waiting.await(
                    () -> {
                        message.set(tagged.look(peer, tag, type));
                        return message.get() != null;
                    },
                    where.substring(0, where.indexOf(' ')) + "(peer " + peer + ", tag " + tag + ")",
                    System.nanoTime(),
                    timeoutNanos());
        } finally {
            waiting.source(null);
        }
        return Objects.requireNonNull(message.get());
    }

    private void checkTag(String operation, int tag, boolean any) {
        if (tag < 0 && !(any && tag == Mpi.ANY_TAG)) {
            throw new IllegalArgumentException(
                    operation + " on rank " + rank() + " of " + size() + ": tag " + tag + " is below 0");
        }
    }

    private void checkSource(String operation, int peer) {
        if (peer != Mpi.ANY_SOURCE && (peer < 0 || peer >= size())) {
            throw new IllegalArgumentException(operation + " on rank " + rank() + " of " + size() + ": peer " + peer
                    + " is no rank, nor Mpi.ANY_SOURCE");
        }
    }

    // ---- groups

    @Override
    protected void executeGroup(List<Call> calls) {
        checkLiving(calls.getFirst());
        calls.forEach(this::compare);
        Checks checks = CheckedMode.ON ? checked(calls) : null;
        requests.clear();
        List<Step> steps = new ArrayList<>(calls.size());
        CollectiveMismatchException mismatch = null;
        boolean done = false;
        try {
            for (Call call : calls) {
                Step each = newStep();
                steps.add(each);
                DataType unfit = checks == null ? null : checks.unfit(call);
                if (checks != null && unfit != null) {
                    each.lose(call, requests, unfit, checks.count(call));
                    mismatch = mismatch == null ? checks.mismatch(call) : mismatch;
                } else {
                    each.start(call, requests, false);
                }
            }
            await(calls);
            done = true;
        } finally {
            giveUpUnless(done, steps);
        }
        for (int i = 0; i < steps.size(); i++) {
            if (checks != null && checks.unfit(calls.get(i)) != null) {
                steps.get(i).forget();
            } else {
                steps.get(i).finish();
            }
        }
        if (mismatch != null) {
            throw mismatch;
        }
    }

    /** What the senders of this group's messages say of them. */
    private Checks checked(List<Call> calls) {
        Checks checks = new Checks("rank " + rank() + " of " + size());
        requests.clear();
        boolean done = false;
        try {
            List<Call> messages =
                    calls.stream().filter(call -> call.kind().isPointToPoint()).toList();
            checks.start(messages, process, handle, requests);
            await(calls);
            done = true;
        } finally {
            giveUpUnless(done, checks);
        }
        return checks;
    }

    private void checkLiving(Call call) {
        if (process.hasEnded()) {
            throw new IllegalStateException(call + " on " + this + ": MPI has ended, with the World that was closed");
        }
    }

    private void await(Object what) {
        if (!requests.getAsBoolean()) {
            waiting.await(requests, what, System.nanoTime(), timeoutNanos());
        }
    }

    private void giveUpUnless(boolean done, Object memoryInUse) {
        if (!done) {
            MpiProcess.keep(List.of(requests, memoryInUse, memory));
            requests = new Requests(process, types);
            step = newStep();
            abandoned = true;
        }
    }

    /** In checked mode: whether all ranks call the same. */
    private void compare(Call call) {
        if (CheckedMode.ON && !call.kind().isPointToPoint() && size() > 1) {
            long[] mine = CheckedMode.signature(call);
            long[] all = exchange(call, mine);
            long[][] signatures = new long[size()][mine.length];
            for (int r = 0; r < size(); r++) {
                System.arraycopy(all, r * mine.length, signatures[r], 0, mine.length);
            }
            CheckedMode.compare(call, signatures);
        }
    }

    /** Each rank's numbers, as many of each. */
    private long[] exchange(Call call, long... mine) {
        HostArray send = HostArray.of(mine);
        HostArray recv = HostArray.allocate(DataType.INT64, (long) size() * mine.length);
        Requests own = new Requests(process, types);
        long type = types.of(DataType.INT64);
        process.check(
                LibMpi.MPI_Iallgather(
                        send.address(), mine.length, type, recv.address(), mine.length, type, handle, own.next(call)),
                String.valueOf(call));
        boolean done = false;
        try {
            waiting.await(own, call, System.nanoTime(), timeoutNanos());
            done = true;
        } finally {
            giveUpUnless(done, List.of(own, send, recv));
        }
        return recv.toLongArray();
    }

    @Override
    protected @Nullable Communicator executeSplit(Call call, int color, int key) {
        checkLiving(call);
        compare(call);
        // All ranks are here afterwards, so that MPI's own call, which cannot be limited, waits for nobody.
        long[] all = exchange(call, color, key);
        int undefined = Math.toIntExact(process.abi().get("UNDEFINED"));
        long part = process.split(handle, color < 0 ? undefined : color, key);
        if (color < 0) {
            return null;
        }
        int[] members = IntStream.range(0, size())
                .filter(r -> all[2 * r] == color)
                .boxed()
                .sorted((a, b) -> all[2 * a + 1] == all[2 * b + 1]
                        ? Integer.compare(a, b)
                        : Long.compare(all[2 * a + 1], all[2 * b + 1]))
                .mapToInt(r -> r)
                .toArray();
        int rank = IntStream.range(0, members.length)
                .filter(i -> members[i] == rank())
                .findFirst()
                .orElseThrow();
        MpiCommunicator made = new MpiCommunicator(process, part, rank, members.length, peers.select(members), options);
        made.timeout(timeout());
        return made;
    }

    /**
     * @throws UnsupportedOperationException always: this engine does not use the fault tolerance that some libraries
     *     have
     */
    @Override
    protected Communicator executeShrink() {
        throw new UnsupportedOperationException("shrink on rank " + rank() + " of " + size()
                + ": the engine mpi cannot go on without a rank, as MPI's launchers end the job when one dies; the"
                + " engine host can, on one machine");
    }

    @Override
    protected void release() {
        watched.close();
        if (!process.hasEnded() && !abandoned) {
            process.free(tagged.comm());
            process.free(handle);
        }
        if (!abandoned) {
            memory.close();
        }
    }

    @Override
    protected boolean isInStepAfter(CommException e) {
        // Without checked mode a mismatch is found in the middle.
        return super.isInStepAfter(e) && !abandoned;
    }

    @Override
    public String toString() {
        return "MpiCommunicator rank " + rank() + " of " + size() + " [" + process + "]";
    }
}
