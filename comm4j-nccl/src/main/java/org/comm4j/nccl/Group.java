// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.comm4j.core.CommException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Operations;
import org.comm4j.core.spi.Call;
import org.comm4j.core.spi.Events;
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
    private final List<GroupPart> parts = new ArrayList<>();

    // What was collected, in order.
    private final List<Call> calls = new ArrayList<>();
    private final List<GroupPart> owners = new ArrayList<>();

    private boolean busy;
    private boolean open;

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
        group.open = true;
        return group;
    }

    /**
     * The operations of {@code communicator} in this group, ordered on {@code stream}.
     *
     * @throws IllegalStateException if the communicator is not usable, or the group's body has returned
     */
    public Operations on(NcclCommunicator communicator, Stream stream) {
        return part(communicator, stream);
    }

    GroupPart part(NcclOperations communicator, Stream stream) {
        checkOpen();
        communicator.health.check("group");
        communicator.checkStream("group", stream);
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).is(communicator, stream)) {
                return parts.get(i);
            }
        }
        GroupPart part = communicator.takePart();
        part.begin(this, stream);
        int at = parts.size();
        while (at > 0 && parts.get(at - 1).communicator.serial > communicator.serial) {
            at--;
        }
        parts.add(at, part);
        return part;
    }

    void add(GroupPart part, Call call) {
        calls.add(call);
        owners.add(part);
    }

    void checkOpen() {
        if (!open) {
            throw new IllegalStateException("the group has ended; its operations object is only for the group's body");
        }
    }

    /** No more calls, and those that were collected fit together. */
    void close() {
        open = false;
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).checkSelfMessages();
        }
    }

    boolean isEmpty() {
        return calls.isEmpty();
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
        if (calls.isEmpty()) {
            return;
        }
        lockAll();
        try {
            CommunicationEvent event = Events.begin();
            int at = 0;
            parts.getFirst().communicator.enter();
            try {
                LibNccl.ncclGroupStart();
                try {
                    for (; at < calls.size(); at++) {
                        owners.get(at).enqueue(calls.get(at), true);
                    }
                } catch (RuntimeException e) {
                    throw Submission.endAfter(e);
                }
                at = 0;
                LibNccl.ncclGroupEnd();
                for (int i = 0; settles && i < parts.size(); i++) {
                    parts.get(i).communicator.settle(this);
                }
            } catch (NativeCallException e) {
                throw failed(owners.get(at).communicator.watch.failed(this, e));
            } catch (CommException e) {
                throw failed(e);
            }
            if (event != null) {
                for (int i = 0; i < calls.size(); i++) {
                    Events.commit(event, owners.get(i).communicator, calls.get(i));
                }
            }
        } finally {
            unlockAll();
        }
    }

    /** {@link #submit} without doing anything ({@code ncclGroupSimulateEnd}): fills in {@code info}. */
    void simulate(MemorySegment info) {
        lockAll();
        try {
            parts.getFirst().communicator.enter();
            LibNccl.ncclGroupStart();
            try {
                for (int i = 0; i < calls.size(); i++) {
                    owners.get(i).enqueue(calls.get(i), false);
                }
            } catch (RuntimeException e) {
                throw Submission.endAfter(e);
            }
            LibNccl.ncclGroupSimulateEnd(info);
        } catch (NativeCallException e) {
            throw owners.getFirst().communicator.watch.failed("simulated " + this, e);
        } finally {
            unlockAll();
        }
    }

    private void lockAll() {
        for (int i = 0; i < parts.size(); i++) {
            ReentrantLock lock = parts.get(i).communicator.lock;
            lock.lock();
        }
        try {
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).communicator.checkReady("group");
            }
        } catch (RuntimeException e) {
            unlockAll();
            throw e;
        }
    }

    private void unlockAll() {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).communicator.lock.unlock();
        }
    }

    private CommException failed(CommException e) {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).communicator.health.failed(e);
        }
        return e;
    }

    /** Gives everything back. */
    void end() {
        open = false;
        for (int i = 0; i < parts.size(); i++) {
            GroupPart part = parts.get(i);
            part.end();
            part.communicator.givePart(part);
        }
        parts.clear();
        calls.clear();
        owners.clear();
        busy = false;
    }

    @Override
    public String toString() {
        return "group" + calls;
    }
}
