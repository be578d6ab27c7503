// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.comm4j.core.CommException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Operations;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.GroupBody;
import org.comm4j.core.spi.GroupMemory;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one or several communicators that start as one ({@code ncclGroupStart}, {@code ncclGroupEnd}): see
 * {@link Nccl#group}. The body of a group only collects and checks.
 *
 * <p>One thread that drives several GPUs calls the collectives of all of them in a group:
 *
 * <pre>{@code
 * Nccl.group(g -> {
 *     for (int i = 0; i < comms.size(); i++) {
 *         g.on(comms.get(i), streams[i]).allReduce(data[i], data[i], ReduceOp.SUM);
 *     }
 * });
 * }</pre>
 */
public final class Group {
    /** A thread's group is kept for its next one, so that groups allocate nothing. Nested ones have their own. */
    private static final ThreadLocal<@Nullable Group> SPARE = new ThreadLocal<>();

    /** One for each communicator and stream, in the order in which the locks are taken. */
    private @Nullable GroupPart[] parts = new GroupPart[8];

    private int partCount;

    // What was collected, in order: calls, and of which part they are.
    private Call[] calls = new Call[8];
    private @Nullable GroupPart[] owners = new GroupPart[8];
    private int count;

    private final List<OneSidedCall> puts = new ArrayList<>();

    private final Thread thread = Thread.currentThread();

    private boolean busy;

    /** How often it has begun: what was made for an earlier group must not add to this one. */
    private long round;

    private boolean open;

    /** Whether there are calls that do not go the usual way. */
    private boolean configured;

    private Group() {}

    static Group begin() {
        Group group = SPARE.get();
        if (group == null) {
            group = new Group();
            SPARE.set(group);
        } else if (group.busy) {
            group = new Group();
        }
        group.busy = true;
        group.round++;
        group.open = true;
        return group;
    }

    /**
     * Returns the operations of {@code communicator} in this group, ordered on {@code stream}.
     *
     * @throws IllegalStateException if the communicator is not usable, or the group's body has returned
     */
    public Operations on(NcclCommunicator communicator, Stream stream) {
        return part(communicator, stream);
    }

    /**
     * {@link #on(NcclCommunicator, Stream)} with a configuration for the calls. Of the operations there are those that
     * {@link ConfiguredOperations} has; others are an {@link UnsupportedOperationException}.
     */
    public Operations on(ConfiguredOperations operations, Stream stream) {
        return part(operations.communicator(), stream, operations.way());
    }

    /**
     * {@link #on(NcclCommunicator, Stream)} with a sum of one's own, which stands for {@link
     * org.comm4j.core.ReduceOp#SUM} in allReduce, reduce and reduceScatter; all else is an {@link
     * UnsupportedOperationException}.
     */
    public Operations on(CustomReductions reductions, Stream stream) {
        return part(reductions.communicator(), stream, reductions.way());
    }

    /**
     * Puts, signals and waits of {@code communicator} in this group, ordered on {@code stream}; they start after the
     * collectives.
     */
    public OneSided oneSided(NcclCommunicator communicator, Stream stream) {
        part(communicator, stream);
        long its = round;
        return new OneSided() {
            @Override
            public void putSignal(DeviceArray source, int peer, Window window, long offset, int signal, int context) {
                add(new OneSidedCall.PutSignal(communicator, source, peer, window, offset, signal, context, stream));
            }

            @Override
            public void signal(int peer, int signal, int context) {
                add(new OneSidedCall.Signal(communicator, peer, signal, context, stream));
            }

            @Override
            public void waitSignals(List<SignalWait> waits) {
                add(new OneSidedCall.WaitSignals(communicator, waits, stream));
            }

            private void add(OneSidedCall call) {
                if (round != its) {
                    throw ended();
                }
                checkOpen();
                puts.add(call);
            }
        };
    }

    GroupPart part(NcclOperations communicator, Stream stream) {
        return part(communicator, stream, null);
    }

    private GroupPart part(NcclOperations communicator, Stream stream, @Nullable Way way) {
        checkOpen();
        communicator.health.check("group");
        communicator.checkStream("group", stream);
        for (int i = 0; i < partCount; i++) {
            GroupPart known = part(i);
            if (known.is(communicator, stream, way)) {
                return known;
            }
        }
        GroupPart part = GroupPart.of(this, communicator);
        configured |= way != null;
        part.begin(stream, way);
        if (partCount == parts.length) {
            parts = Arrays.copyOf(parts, 2 * partCount);
        }
        int at = partCount++;
        for (; at > 0 && part(at - 1).communicator.serial > communicator.serial; at--) {
            parts[at] = parts[at - 1];
        }
        parts[at] = part;
        return part;
    }

    private GroupPart part(int i) {
        return Objects.requireNonNull(parts[i]);
    }

    private GroupPart owner(int i) {
        return Objects.requireNonNull(owners[i]);
    }

    void add(GroupPart part, Call call) {
        if (count == calls.length) {
            calls = Arrays.copyOf(calls, 2 * count);
            owners = Arrays.copyOf(owners, 2 * count);
        }
        calls[count] = call;
        owners[count] = part;
        count++;
    }

    /** Whether its body runs in this thread. */
    boolean isCollecting() {
        return open && thread.equals(Thread.currentThread());
    }

    void checkOpen() {
        if (!open) {
            throw ended();
        }
    }

    static IllegalStateException ended() {
        return new IllegalStateException("the group has ended; its operations object is only for the group's body");
    }

    /** Refuses a call of a communicator itself in the body of this thread's group, in which it takes part. */
    static void refuseInBody(NcclOperations communicator, String operation) {
        Group group = SPARE.get();
        if (group != null && group.open && group.hasPart(communicator)) {
            throw GroupBody.refused(operation, communicator.where());
        }
    }

    private boolean hasPart(NcclOperations communicator) {
        for (int i = 0; i < partCount; i++) {
            if (part(i).communicator == communicator) {
                return true;
            }
        }
        return false;
    }

    /** No more calls, and those that were collected fit together. */
    void close() {
        open = false;
        for (int i = 0; i < partCount; i++) {
            part(i).checkSelfMessages();
            for (int j = 0; configured && j < i; j++) {
                part(i).checkTogether(part(j));
            }
        }
        GroupMemory.check(calls, count);
    }

    boolean isEmpty() {
        return count == 0 && puts.isEmpty();
    }

    /** Enqueues everything. */
    void submit() {
        run(true);
    }

    /** Enqueues everything, in communicators that do not block perhaps only soon. */
    void start() {
        run(false);
    }

    private void run(boolean settles) {
        if (isEmpty()) {
            return;
        }
        acquireAll();
        try {
            runLocked(settles);
        } finally {
            releaseAll(partCount);
        }
    }

    private void runLocked(boolean settles) {
        CommunicationEvent event = Events.begin();
        try {
            use();
            int at = 0;
            enter();
            try {
                LibNccl.ncclGroupStart();
                try {
                    for (; at < count; at++) {
                        owner(at).enqueue(calls[at]);
                    }
                    enqueuePuts();
                } catch (Throwable e) {
                    Submission.endAfter(e);
                    throw e;
                }
                at = 0;
                LibNccl.ncclGroupEnd();
                for (int i = 0; settles && i < partCount; i++) {
                    part(i).communicator.settle(this);
                }
            } catch (NativeCallException e) {
                NcclOperations owner = (at < count ? owner(at) : part(0)).communicator;
                throw failed(owner.watch.failed(this, e));
            } catch (CommException e) {
                throw failed(e);
            }
        } catch (RuntimeException | Error e) {
            Events.failed(event, e);
            throw e;
        } finally {
            if (event != null) {
                record(event);
            }
        }
    }

    /** {@link #submit} without doing anything ({@code ncclGroupSimulateEnd}): fills in {@code info}. */
    void simulate(MemorySegment info) {
        acquireAll();
        try {
            use();
            enter();
            LibNccl.ncclGroupStart();
            try {
                for (int i = 0; i < count; i++) {
                    owner(i).enqueue(calls[i]);
                }
                enqueuePuts();
            } catch (Throwable e) {
                Submission.endAfter(e);
                throw e;
            }
            LibNccl.ncclGroupSimulateEnd(info);
        } catch (NativeCallException e) {
            throw part(0).communicator.watch.failed("simulated " + this, e);
        } finally {
            releaseAll(partCount);
        }
    }

    /**
     * What may find something closed, before the first call of NCCL, which starts what it has even if the rest never
     * comes.
     */
    private void use() {
        for (int i = 0; i < count; i++) {
            owner(i).use(calls[i]);
        }
        for (int i = 0; i < puts.size(); i++) {
            puts.get(i).use();
        }
    }

    private void enqueuePuts() {
        for (int i = 0; i < puts.size(); i++) {
            puts.get(i).enqueue();
        }
    }

    private void record(CommunicationEvent event) {
        for (int i = 0; i < count; i++) {
            event.stream = owner(i).stream().toString();
            Events.commit(event, owner(i).communicator, calls[i]);
        }
        for (int i = 0; i < puts.size(); i++) {
            puts.get(i).record(event);
        }
    }

    /** Takes all locks, in the order of their communicators, or none. */
    private void lockAll() {
        int locked = 0;
        try {
            for (; locked < partCount; locked++) {
                ReentrantLock lock = part(locked).communicator.lock;
                lock.lock();
            }
            for (int i = 0; i < partCount; i++) {
                part(i).communicator.checkReady("group");
            }
        } catch (Throwable e) {
            unlock(locked);
            throw e;
        }
    }

    /** Takes all locks, and what the parts use. */
    private void acquireAll() {
        lockAll();
        int acquired = 0;
        try {
            for (; acquired < partCount; acquired++) {
                part(acquired).acquire();
            }
        } catch (Throwable e) {
            releaseAll(acquired);
            throw e;
        }
    }

    private void releaseAll(int acquired) {
        for (int i = 0; i < acquired; i++) {
            part(i).release();
        }
        unlock(partCount);
    }

    private void unlock(int locked) {
        for (int i = 0; i < locked; i++) {
            part(i).communicator.lock.unlock();
        }
    }

    private void enter() {
        for (int i = partCount - 1; i >= 0; i--) {
            part(i).communicator.enter();
        }
    }

    private CommException failed(CommException e) {
        for (int i = 0; i < partCount; i++) {
            part(i).communicator.health.failed(e);
        }
        return e;
    }

    /** Gives everything back. */
    void end() {
        open = false;
        for (int i = 0; i < partCount; i++) {
            part(i).end();
        }
        // No communicator is kept by a thread that once used it.
        Arrays.fill(parts, 0, partCount, null);
        Arrays.fill(owners, 0, count, null);
        partCount = 0;
        count = 0;
        puts.clear();
        configured = false;
        busy = false;
    }

    @Override
    public String toString() {
        return "group" + Arrays.asList(calls).subList(0, count) + (puts.isEmpty() ? "" : puts);
    }
}
