// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** What the body of a group sees of one communicator and stream: checks, and remembers. Call objects are used again. */
final class GroupPart implements Operations {
    final NcclOperations communicator;
    private final List<Call> pool = new ArrayList<>();
    private int used;

    private @Nullable Group group;
    private @Nullable Stream stream;

    GroupPart(NcclOperations communicator) {
        this.communicator = communicator;
    }

    void begin(Group group, Stream stream) {
        this.group = group;
        this.stream = stream;
        used = 0;
    }

    void end() {
        group = null;
        stream = null;
    }

    boolean is(NcclOperations communicator, Stream stream) {
        return this.communicator == communicator && this.stream == stream;
    }

    void enqueue(Call call, boolean forReal) {
        Stream target = Objects.requireNonNull(stream);
        if (forReal) {
            NcclOperations.use(call, target);
        }
        communicator.submission.enqueue(call, target.handle());
    }

    private Call next() {
        if (group == null) {
            throw new IllegalStateException("the group has ended; its operations object is only for the group's body");
        }
        group.checkOpen();
        if (used == pool.size()) {
            pool.add(new Call(communicator.rank(), communicator.size()));
        }
        return pool.get(used);
    }

    private void add(Call call) {
        communicator.checkBuffers(call);
        used++;
        if (group != null) {
            group.add(this, call);
        }
    }

    /** What a rank sends to itself must be received in the same group, or the group could never end. */
    void checkSelfMessages() {
        int next = 0;
        for (int i = 0; i < used; i++) {
            if (isToSelf(pool.get(i), Call.Kind.SEND)) {
                next = counterpart(pool.get(i), next) + 1;
            }
        }
        for (; next < used; next++) {
            if (isToSelf(pool.get(next), Call.Kind.RECV)) {
                throw unmatched(pool.get(next));
            }
        }
    }

    /** The receive from this rank, at {@code from} or later in the group, that belongs to {@code send}. */
    private int counterpart(Call send, int from) {
        for (int i = from; i < used; i++) {
            Call call = pool.get(i);
            if (isToSelf(call, Call.Kind.RECV)) {
                if (call.type() != send.type() || call.count() != send.count()) {
                    break;
                }
                return i;
            }
        }
        throw unmatched(send);
    }

    private boolean isToSelf(Call call, Call.Kind kind) {
        return call.kind() == kind && call.peer() == communicator.rank();
    }

    private IllegalArgumentException unmatched(Call call) {
        return new IllegalArgumentException("group on " + communicator.where()
                + ": a send to oneself needs its recv, of the same type and count, in the same group; " + call
                + " has none in " + pool.subList(0, used));
    }

    @Override
    public void allReduce(Buffer send, Buffer recv, ReduceOp op) {
        add(next().allReduce(send, recv, op));
    }

    @Override
    public void reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root) {
        add(next().reduce(send, recv, op, root));
    }

    @Override
    public void broadcast(@Nullable Buffer send, Buffer recv, int root) {
        add(next().broadcast(send, recv, root));
    }

    @Override
    public void allGather(Buffer send, Buffer recv) {
        add(next().allGather(send, recv));
    }

    @Override
    public void allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        add(next().allGatherV(send, recv, counts, offsets).keepCounts());
    }

    @Override
    public void reduceScatter(Buffer send, Buffer recv, ReduceOp op) {
        add(next().reduceScatter(send, recv, op));
    }

    @Override
    public void allToAll(Buffer send, Buffer recv) {
        add(next().allToAll(send, recv));
    }

    @Override
    public void allToAllV(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets) {
        add(next().allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets)
                .keepCounts());
    }

    @Override
    public void gather(Buffer send, @Nullable Buffer recv, int root) {
        add(next().gather(send, recv, root));
    }

    @Override
    public void scatter(@Nullable Buffer send, Buffer recv, int root) {
        add(next().scatter(send, recv, root));
    }

    @Override
    public void send(Buffer buffer, int peer) {
        add(next().send(buffer, peer));
    }

    @Override
    public void recv(Buffer buffer, int peer) {
        add(next().recv(buffer, peer));
    }
}
