// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.AbstractCommunicator;
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
 * <p>Counts may exceed what an {@code int} holds, with every library. Memory of devices is MPI's where the library says
 * that it is CUDA-aware, after the work so far that uses it; else it goes through copies on the host.
 */
public final class MpiCommunicator extends AbstractCommunicator {
    private final MpiProcess process;
    private final String name;
    private int children;
    private final long handle;
    private final Peers peers;
    private final MpiWaiting waiting;
    private final MpiOptions options;
    private final Ways ways;
    private final Watched watched;
    private final Runnable executeHeld = this::executeHeld;
    private @Nullable Call held;
    private final Holding holding;
    private final Staging staging = new Staging();
    private final Tagged tagged;
    private final Tags tags;
    private final Scans scans;
    private final Preparing preparing;
    private Requests requests;
    private Step step;
    private boolean abandoned;
    /** An MPI communicator that is kept out of use for the day on which the others have been revoked. */
    private final long spare;
    /** The tag of the message under way; −1 for operations of the common interface. */
    private int tag = -1;

    /** @param name the same on its ranks, and another one for every other communicator */
    MpiCommunicator(MpiProcess process, String name, long handle, int rank, Peers peers, int size, MpiOptions options) {
        super(MpiEngine.NAME, rank, size);
        this.process = process;
        this.holding = new Holding(process.takesDeviceMemory());
        this.name = name;
        this.handle = handle;
        this.peers = peers;
        this.waiting = new MpiWaiting("rank " + rank + " of " + size, peers, size, process.leavers());
        waiting.revocation(() -> process.goesOn() && !peers.failedRanks().isEmpty() && abandon());
        this.options = options;
        this.ways = new Ways(options, process.gainsByMeeting(), process.severalThreads());
        this.watched = new Watched(waiting, "rank " + rank);
        this.requests = new Requests(process, process.types());
        this.step = newStep();
        this.tagged = new Tagged(process, process.split(handle, 0, rank));
        this.spare = process.goesOn() ? process.split(handle, 0, rank) : 0;
        this.tags = new Tags(this, waiting, tagged);
        this.scans = new Scans(this, process);
        this.preparing = new Preparing(this, process);
    }

    /**
     * Returns the communicator's handle in C, {@code MPI_Comm}, for a library in this process that calls MPI itself: an
     * address with Open MPI and the standard interface, a number of 32 bits with MPICH. Whoever sends by it takes tags
     * from 3 on.
     */
    public long handle() {
        return handle;
    }

    @Override
    public Buffer allocate(DataType type, long count) {
        if (!isOpen()) {
            throw new IllegalStateException("allocate on " + this + ": it is closed");
        }
        OwnArray.Block block = new OwnArray.Block(holding);
        return own(block.allocate(type, count), () -> block.free(isOpen()));
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
        held = call;
        holding.during(call.send(), call.recv(), executeHeld);
    }

    private void executeHeld() {
        Call call = Objects.requireNonNull(held);
        requests.clear();
        Step each = tag < 0 ? step : step(tag);
        boolean done = false;
        try {
            if (ways.meets(call)) {
                process.check(LibMpi.MPI_Ibarrier(handle, requests.next(call)), "MPI_Ibarrier");
                await(call, requests);
                requests.clear();
                watched.run(step, call, requests, timeoutNanos());
            } else if (ways.isBlocking()) {
                watched.enter(call);
                try {
                    each.start(call, requests, true);
                } finally {
                    watched.leave();
                }
            } else {
                each.start(call, requests, false);
            }
            await(call, requests);
            done = true;
        } catch (CommException e) {
            throw explained(e, call);
        } finally {
            giveUpUnless(done, each);
        }
        each.finish();
    }

    /**
     * Sends {@code buffer} to {@code peer} with a tag ({@code MPI_Send}). Returns when the buffer may be used again,
     * which may need the receiver. Such messages are received by {@link #receive} only.
     *
     * @param buffer at most 2³¹ − 1 elements
     * @param tag from 0 on; every library takes 32767
     */
    public void send(Buffer buffer, int peer, int tag) {
        tags.send(buffer, peer, tag);
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
        return tags.receive(buffer, peer, tag);
    }

    /**
     * Sends a message and receives one, both under way together ({@code MPI_Sendrecv}). Ranks may be this one.
     *
     * @param send is only read; it does not overlap {@code recv}
     * @param from who sends, or {@link Mpi#ANY_SOURCE}; {@code tag} may be {@link Mpi#ANY_TAG}
     * @return what was received, as {@link #receive}
     */
    public Received sendReceive(Buffer send, int to, int sendTag, Buffer recv, int from, int tag) {
        return tags.sendReceive(send, to, sendTag, recv, from, tag);
    }

    /**
     * Waits for a message with a tag, and leaves it to be received ({@code MPI_Probe}). Arguments as of {@link
     * #receive}.
     *
     * @param type in which its elements are counted; −1 if it is no whole number of them
     */
    public Received probe(int peer, int tag, DataType type) {
        return tags.probe(peer, tag, type);
    }

    /**
     * Collective: reduces over the ranks up to this one, itself included ({@code MPI_Scan}).
     *
     * @param op not AVG
     */
    public void scan(Buffer send, Buffer recv, ReduceOp op) {
        scans.scan("scan", send, recv, op, false);
    }

    /**
     * Collective: reduces over the ranks before this one ({@code MPI_Exscan}). On rank 0 {@code recv} stays as it is.
     *
     * @param op not AVG
     */
    public void exclusiveScan(Buffer send, Buffer recv, ReduceOp op) {
        scans.scan("exclusiveScan", send, recv, op, true);
    }

    /**
     * Collective: combines the records of all ranks by a Java method, in the order of the ranks ({@code
     * MPI_Op_create}).
     *
     * @param recv as many records of the same size; {@code send} itself for the form in place
     * @throws CommException on all ranks if the method throws on one
     */
    public void allReduce(Records send, Records recv, RecordReduction reduction) {
        Reducer.run(this, process, "allReduce", send, recv, reduction, -1);
    }

    /** Collective: as {@link #allReduce(Records, Records, RecordReduction)}, with the result on {@code root} alone. */
    public void reduce(Records send, @Nullable Records recv, RecordReduction reduction, int root) {
        Reducer.run(this, process, "reduce", send, recv, reduction, Objects.checkIndex(root, size()));
    }

    /** Prepares a barrier ({@code MPI_Barrier_init}). */
    public Prepared prepareBarrier() {
        return preparing.barrier();
    }

    /** Prepares a broadcast ({@code MPI_Bcast_init}); collective. */
    public Prepared prepareBroadcast(Buffer buffer, int root) {
        return preparing.broadcast(buffer, root);
    }

    /** Prepares a reduction to all ranks ({@code MPI_Allreduce_init}); collective. */
    public Prepared prepareAllReduce(Buffer send, Buffer recv, ReduceOp op) {
        return preparing.allReduce(send, recv, op);
    }

    /** Prepares to send with a tag ({@code MPI_Send_init}). */
    public Prepared prepareSend(Buffer buffer, int peer, int tag) {
        return preparing.send(buffer, peer, tag);
    }

    /** Prepares to receive a message of just this size, rank and tag ({@code MPI_Recv_init}). */
    public Prepared prepareReceive(Buffer buffer, int peer, int tag) {
        return preparing.receive(buffer, peer, tag);
    }

    /** Collective: the communicator of the ranks on this rank's host ({@code MPI_Comm_split_type}). */
    public MpiCommunicator splitByHost() {
        Call ignored = enter("splitByHost");
        try {
            Groups.exchange(this, "splitByHost", rank());
            children++;
            long part = process.splitByHost(handle, rank());
            return part(part, process.members(part, handle));
        } finally {
            leave();
        }
    }

    /**
     * Collective: memory that all ranks reach, {@code count} elements of this rank's, zeroed ({@code
     * MPI_Win_allocate}).
     *
     * @param type the same on all ranks; the count need not be
     * @throws CommException if the library cannot, as Open MPI 4 between hosts over TCP
     */
    public MpiWindow allocateWindow(DataType type, long count) {
        return window(type, count, false);
    }

    /** Collective: the same in memory that all ranks of one host load and store ({@code MPI_Win_allocate_shared}). */
    public MpiWindow allocateShared(DataType type, long count) {
        return window(type, count, true);
    }

    private MpiWindow window(DataType type, long count, boolean shared) {
        Call ignored = enter("allocation of a window");
        try {
            return MpiWindow.of(this, process, type, count, shared);
        } finally {
            leave();
        }
    }

    /** Begins an operation, with nothing else under way; {@link #leave} follows. */
    Call enter(String operation) {
        Call call = begin(operation);
        try {
            checkLiving(operation);
            return call;
        } catch (RuntimeException e) {
            done();
            throw e;
        }
    }

    void leave() {
        done();
    }

    /** Runs a message, with a tag on the communicator of such messages. */
    void message(Call call, int tag) {
        this.tag = tag;
        try {
            run(call);
        } finally {
            this.tag = -1;
        }
    }

    /** Starts to gather one rank's array after the other. */
    void gather(Object what, HostArray send, HostArray recv, Requests all) {
        int count = Math.toIntExact(send.count());
        long type = process.types().of(send.type());
        int code = Issue.allGather(send.address(), recv.address(), count, type, handle, all.next(what));
        process.check(code, String.valueOf(what));
    }

    /** Runs what starts and awaits requests; if it throws, they and {@code memory} are kept. */
    void attempt(Object memory, Consumer<Requests> body) {
        requests.clear();
        boolean done = false;
        try {
            body.accept(requests);
            done = true;
        } catch (CommException e) {
            throw explained(e, "an operation");
        } finally {
            giveUpUnless(done, memory);
        }
    }

    /**
     * Starts something non-blocking and waits for its end, with nothing else under way.
     *
     * @param what the operation, for messages
     * @param memory what MPI uses until then
     */
    void poll(Object what, Object memory, Consumer<Requests> start) {
        attempt(memory, all -> {
            process.lock();
            try {
                start.accept(all);
            } finally {
                process.unlock();
            }
            await(what, all);
        });
    }

    void await(Object what, Requests all) {
        waiting.await(all, what, timeoutNanos());
    }

    long limitNanos() {
        return timeoutNanos();
    }

    Holding holding() {
        return holding;
    }

    boolean isOutOfStep() {
        return abandoned;
    }

    /** Returns the MPI communicator of messages with tags. */
    long tagged() {
        return tagged.comm();
    }

    Step newStep() {
        return new Step(process, staging, handle, rank(), size(), handle, Step.MESSAGE);
    }

    /** Makes a step of one message with a tag. */
    Step step(int tag) {
        return new Step(process, staging, handle, rank(), size(), tagged.comm(), tag);
    }

    @Override
    protected void executeGroup(List<Call> calls) {
        checkLiving(calls.getFirst());
        holding.during(calls, () -> Groups.run(this, process, calls));
    }

    private void checkLiving(Object what) {
        if (process.hasEnded()) {
            throw new IllegalStateException(what + " on " + this + ": MPI has ended, " + process.endedBy());
        }
        if (abandoned) {
            throw new IllegalStateException(what + " on " + this
                    + ": an operation was given up, so that this communicator is out of step with the other"
                    + " ranks; close it");
        }
    }

    /** Makes an error of MPI say who died, where a death was its cause. */
    private CommException explained(CommException e, Object what) {
        boolean isMpi =
                e.getClass() == CommException.class && !Thread.currentThread().isInterrupted();
        return process.goesOn() && isMpi ? Ulfm.explained(e, waiting, peers, what) : e;
    }

    private void giveUpUnless(boolean done, Object memoryInUse) {
        if (!done) {
            MpiProcess.keep(List.of(requests, memoryInUse));
            holding.keepForEver(memoryInUse);
            requests = new Requests(process, process.types());
            step = newStep();
            abandoned = true;
            boolean ignored = !peers.failedRanks().isEmpty() && abandon();
        }
    }

    @Override
    protected @Nullable Communicator executeSplit(Call call, int color, int key) {
        checkLiving(call);
        Groups.compare(this, call);
        // All ranks are here afterwards, so that MPI's own call, which cannot be limited, waits for nobody.
        Groups.exchange(this, call, color);
        int undefined = Math.toIntExact(process.abi().get("UNDEFINED"));
        long part = process.split(handle, color < 0 ? undefined : color, key);
        children++;
        return color < 0 ? null : part(part, process.members(part, handle));
    }

    /** Makes the communicator of some ranks here, in their order, with a handle of its own. */
    private MpiCommunicator part(long part, int... members) {
        int rank = IntStream.range(0, members.length)
                .filter(i -> members[i] == rank())
                .findFirst()
                .orElseThrow();
        String child = name + "/" + children + ":" + members[0];
        MpiCommunicator made =
                new MpiCommunicator(process, child, part, rank, peers.select(members), members.length, options);
        made.timeout(timeout());
        return made;
    }

    /**
     * @throws UnsupportedOperationException if the library, or the launcher, ends the job when a rank dies
     */
    @Override
    protected Communicator executeShrink() {
        String where = "shrink on rank " + rank() + " of " + size();
        if (!process.goesOn()) {
            throw Ulfm.missing(where, process);
        }
        boolean ignored = abandon();
        return Ulfm.goOn(process, spare, peers, this, name, options);
    }

    /** Leaves MPI's communicators as they are, which are of no use any more; ends what others do with them. */
    private boolean abandon() {
        abandoned = true;
        boolean revokes = process.goesOn() && !process.hasEnded();
        if (revokes) {
            Ulfm.revoke(handle);
            Ulfm.revoke(tagged.comm());
        }
        return revokes;
    }

    @Override
    protected void release() {
        watched.close();
        staging.close();
        if (!process.hasEnded() && !abandoned) {
            process.free(tagged.comm());
            if (spare != 0) {
                process.free(spare);
            }
            process.free(handle);
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
