// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * One checked call of an operation: what engines execute, groups collect, checked mode compares and events report. Each of
 * the {@code set} methods checks the arguments completely and then fills in the fields, so that a call object that an engine
 * sees is valid for its rank. Objects are reused; nothing is allocated here on the good path.
 */
public final class Call {

    /** The operations, with the names that the public methods have. */
    public enum Kind {
        ALL_REDUCE("allReduce"),
        REDUCE("reduce"),
        BROADCAST("broadcast"),
        ALL_GATHER("allGather"),
        ALL_GATHER_V("allGatherV"),
        REDUCE_SCATTER("reduceScatter"),
        ALL_TO_ALL("allToAll"),
        ALL_TO_ALL_V("allToAllV"),
        GATHER("gather"),
        SCATTER("scatter"),
        SEND("send"),
        RECV("recv"),
        BARRIER("barrier"),
        SPLIT("split");

        private final String method;

        Kind(String method) {
            this.method = method;
        }

        /** The name of the public method. */
        public String method() {
            return method;
        }

        /** Whether only two ranks take part. */
        public boolean isPointToPoint() {
            return this == SEND || this == RECV;
        }
    }

    private static final long[] NONE = {};

    private final int rank;
    private final int size;

    private Kind kind = Kind.BARRIER;
    private @Nullable Buffer send;
    private @Nullable Buffer recv;
    private @Nullable ReduceOp op;
    private int peer = -1;
    private long[] sendCounts = NONE;
    private long[] sendOffsets = NONE;
    private long[] recvCounts = NONE;
    private long[] recvOffsets = NONE;

    /** A call object for one rank of a communicator of {@code size} ranks. */
    public Call(int rank, int size) {
        this.rank = rank;
        this.size = size;
    }

    public Kind kind() {
        return kind;
    }

    /** The buffer that is read; null where this rank sends nothing. */
    public @Nullable Buffer send() {
        return send;
    }

    /** The buffer that is written; null where this rank receives nothing. */
    public @Nullable Buffer recv() {
        return recv;
    }

    /** The reduction; null for operations without one. */
    public @Nullable ReduceOp op() {
        return op;
    }

    /** The root of a rooted operation, the other rank of a send or receive, else −1. */
    public int peer() {
        return peer;
    }

    public boolean isRoot() {
        return peer == rank;
    }

    public long[] sendCounts() {
        return sendCounts;
    }

    public long[] sendOffsets() {
        return sendOffsets;
    }

    public long[] recvCounts() {
        return recvCounts;
    }

    public long[] recvOffsets() {
        return recvOffsets;
    }

    /** The element type; null for operations without data. */
    public @Nullable DataType type() {
        return recv != null ? recv.type() : send != null ? send.type() : null;
    }

    /**
     * The count that must be the same on all ranks: of the whole vector for the reductions to all or one and for broadcast,
     * of one part for the gathering and scattering ones, of the message for send and receive; 0 where it may differ.
     */
    public long count() {
        return switch (kind) {
            case ALL_REDUCE, REDUCE, ALL_GATHER, GATHER, SEND -> count(send);
            case BROADCAST, REDUCE_SCATTER, SCATTER, RECV -> count(recv);
            case ALL_TO_ALL -> count(send) / size;
            case ALL_GATHER_V, ALL_TO_ALL_V, BARRIER, SPLIT -> 0;
        };
    }

    /** Bytes of this rank's larger buffer. */
    public long bytes() {
        return Math.max(send == null ? 0 : send.byteSize(), recv == null ? 0 : recv.byteSize());
    }

    private static long count(@Nullable Buffer buffer) {
        return buffer == null ? 0 : buffer.count();
    }

    // ---- one method an operation: check, then fill ----

    public Call allReduce(Buffer send, Buffer recv, ReduceOp op) {
        begin(Kind.ALL_REDUCE);
        need(send, "send");
        need(recv, "recv");
        sameType(send, recv);
        sameCount(send.count(), recv, "recv");
        supported(op, send);
        apart(send, recv, 0, 0, "both are the same memory");
        return fill(send, recv, op, -1);
    }

    public Call reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root) {
        begin(Kind.REDUCE);
        inRange(root, "root");
        need(send, "send");
        supported(op, send);
        if (rank == root) {
            recv = need(recv, "recv (on the root)");
            sameType(send, recv);
            sameCount(send.count(), recv, "recv");
            apart(send, recv, 0, 0, "both are the same memory");
        }
        return fill(send, rank == root ? recv : null, op, root);
    }

    public Call broadcast(@Nullable Buffer send, Buffer recv, int root) {
        begin(Kind.BROADCAST);
        inRange(root, "root");
        need(recv, "recv");
        if (rank == root) {
            send = need(send, "send (on the root)");
            sameType(send, recv);
            sameCount(send.count(), recv, "recv");
            apart(send, recv, 0, 0, "both are the same memory");
        }
        return fill(rank == root ? send : null, recv, null, root);
    }

    public Call allGather(Buffer send, Buffer recv) {
        begin(Kind.ALL_GATHER);
        need(send, "send");
        need(recv, "recv");
        sameType(send, recv);
        sizeTimes(send, "send", recv, "recv");
        apart(send, recv, 0, rank * send.count(), "send is this rank's part of recv");
        return fill(send, recv, null, -1);
    }

    public Call allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        begin(Kind.ALL_GATHER_V);
        need(send, "send");
        need(recv, "recv");
        sameType(send, recv);
        parts(counts, offsets, recv, "recv");
        partsApart(counts, offsets);
        sameCount(counts[rank], send, "send");
        apart(send, recv, 0, offsets[rank], "send is this rank's part of recv");
        fill(send, recv, null, -1);
        recvCounts = counts;
        recvOffsets = offsets;
        return this;
    }

    public Call reduceScatter(Buffer send, Buffer recv, ReduceOp op) {
        begin(Kind.REDUCE_SCATTER);
        need(send, "send");
        need(recv, "recv");
        sameType(send, recv);
        sizeTimes(recv, "recv", send, "send");
        supported(op, send);
        apart(send, recv, rank * recv.count(), 0, "recv is this rank's part of send");
        return fill(send, recv, op, -1);
    }

    public Call allToAll(Buffer send, Buffer recv) {
        begin(Kind.ALL_TO_ALL);
        need(send, "send");
        need(recv, "recv");
        sameType(send, recv);
        sameCount(send.count(), recv, "recv");
        if (send.count() % size != 0) {
            throw new IllegalArgumentException(what() + ": send holds " + send.count() + " elements, which are not "
                    + size + " equal parts, one for each rank; use allToAllV for uneven parts");
        }
        disjoint(send, recv);
        return fill(send, recv, null, -1);
    }

    public Call allToAllV(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets) {
        begin(Kind.ALL_TO_ALL_V);
        need(send, "send");
        need(recv, "recv");
        sameType(send, recv);
        parts(sendCounts, sendOffsets, send, "send");
        parts(recvCounts, recvOffsets, recv, "recv");
        partsApart(recvCounts, recvOffsets);
        sameCount(sendCounts[rank], recvCounts[rank]);
        disjoint(send, recv);
        fill(send, recv, null, -1);
        this.sendCounts = sendCounts;
        this.sendOffsets = sendOffsets;
        this.recvCounts = recvCounts;
        this.recvOffsets = recvOffsets;
        return this;
    }

    public Call gather(Buffer send, @Nullable Buffer recv, int root) {
        begin(Kind.GATHER);
        inRange(root, "root");
        need(send, "send");
        if (rank == root) {
            recv = need(recv, "recv (on the root)");
            sameType(send, recv);
            sizeTimes(send, "send", recv, "recv");
            apart(send, recv, 0, rank * send.count(), "send is this rank's part of recv");
        }
        return fill(send, rank == root ? recv : null, null, root);
    }

    public Call scatter(@Nullable Buffer send, Buffer recv, int root) {
        begin(Kind.SCATTER);
        inRange(root, "root");
        need(recv, "recv");
        if (rank == root) {
            send = need(send, "send (on the root)");
            sameType(send, recv);
            sizeTimes(recv, "recv", send, "send");
            apart(send, recv, rank * recv.count(), 0, "recv is this rank's part of send");
        }
        return fill(rank == root ? send : null, recv, null, root);
    }

    public Call send(Buffer buffer, int peer) {
        begin(Kind.SEND);
        inRange(peer, "peer");
        need(buffer, "buffer");
        return fill(buffer, null, null, peer);
    }

    public Call recv(Buffer buffer, int peer) {
        begin(Kind.RECV);
        inRange(peer, "peer");
        need(buffer, "buffer");
        return fill(null, buffer, null, peer);
    }

    /** This call, outside a group: a blocking send to oneself would wait for a receive that can never be called. */
    public Call notToSelf() {
        if (kind.isPointToPoint() && peer == rank) {
            throw new IllegalArgumentException(
                    what()
                            + ": peer is this rank itself, which can only be done inside a group, together with its counterpart");
        }
        return this;
    }

    public Call barrier() {
        begin(Kind.BARRIER);
        return fill(null, null, null, -1);
    }

    public Call split(int color) {
        begin(Kind.SPLIT);
        if (color < -1) {
            throw new IllegalArgumentException(
                    what() + ": color " + color + " is not allowed; a color is at least 0, or -1 to take no part");
        }
        return fill(null, null, null, -1);
    }

    /** Takes copies of the arrays of counts and offsets, for a call that is executed after its method has returned. */
    public Call keepCounts() {
        if (recvCounts.length > 0) {
            sendCounts = sendCounts.clone();
            sendOffsets = sendOffsets.clone();
            recvCounts = recvCounts.clone();
            recvOffsets = recvOffsets.clone();
        }
        return this;
    }

    // ---- a group's calls together ----

    /** What a rank sends to itself must be received in the same group, or the group, the first {@code count} calls, could never end. */
    public static void checkSelfMessages(List<Call> calls, int count) {
        int next = 0;
        for (int i = 0; i < count; i++) {
            if (calls.get(i).isToSelf(Kind.SEND)) {
                next = counterpart(calls, count, i, next) + 1;
            }
        }
        for (; next < count; next++) {
            if (calls.get(next).isToSelf(Kind.RECV)) {
                throw unmatched(calls, count, next);
            }
        }
    }

    /** The receive from this rank, at {@code from} or later in the group, that belongs to a send. */
    private static int counterpart(List<Call> calls, int count, int send, int from) {
        for (int i = from; i < count; i++) {
            Call call = calls.get(i);
            if (call.isToSelf(Kind.RECV)) {
                if (call.type() != calls.get(send).type()
                        || call.count() != calls.get(send).count()) {
                    break;
                }
                return i;
            }
        }
        throw unmatched(calls, count, send);
    }

    private boolean isToSelf(Kind kind) {
        return this.kind == kind && peer == rank;
    }

    private static IllegalArgumentException unmatched(List<Call> calls, int count, int at) {
        Call call = calls.get(at);
        return new IllegalArgumentException("group on rank " + call.rank + " of " + call.size
                + ": a send to oneself needs its recv, of the same type and count, in the same group; " + call
                + " has none in " + calls.subList(0, count));
    }

    private void begin(Kind kind) {
        this.kind = kind;
    }

    private Call fill(@Nullable Buffer send, @Nullable Buffer recv, @Nullable ReduceOp op, int peer) {
        this.send = send;
        this.recv = recv;
        this.op = op;
        this.peer = peer;
        sendCounts = sendOffsets = recvCounts = recvOffsets = NONE;
        return this;
    }

    // ---- checks ----

    private String what() {
        return kind.method() + " on rank " + rank + " of " + size;
    }

    private void notNull(@Nullable Object argument, String name) {
        if (argument == null) {
            throw new NullPointerException(what() + ": " + name + " is null");
        }
    }

    private Buffer need(@Nullable Buffer buffer, String name) {
        if (buffer == null) {
            throw new NullPointerException(what() + ": " + name + " is null");
        }
        if (!buffer.isAlive()) {
            throw new IllegalStateException(what() + ": the memory of " + name + " " + buffer + " was freed");
        }
        return buffer;
    }

    /**
     * That {@code thread} can read what is sent and write what is received: an engine that finds out in the middle leaves the ranks out of step.
     *
     * @throws IllegalArgumentException if memory belongs to another thread (a confined arena), or what is to be received would go to read-only memory
     */
    void checkAccess(Thread thread) {
        reachable(send, "send", thread);
        if (reachable(recv, "recv", thread) instanceof HostArray array
                && array.segment().isReadOnly()
                && !(kind == Kind.BROADCAST && isRoot() && sameMemory())) {
            throw new IllegalArgumentException(what() + ": the memory of recv " + array + " is read-only");
        }
    }

    private boolean sameMemory() {
        return send != null && recv != null && send.address() == recv.address();
    }

    private @Nullable Buffer reachable(@Nullable Buffer buffer, String name, Thread thread) {
        if (buffer instanceof HostArray array && !array.segment().isAccessibleBy(thread)) {
            throw new IllegalArgumentException(what() + ": the memory of " + name + " " + array
                    + " is that of one thread (a confined arena), and this is done by another one, as all asynchronous"
                    + " calls are; take Arena.ofShared() or Arena.ofAuto()");
        }
        return buffer;
    }

    private void sameType(Buffer send, Buffer recv) {
        if (send.type() != recv.type()) {
            throw new IllegalArgumentException(what() + ": send holds " + send.type() + " but recv holds " + recv.type()
                    + "; they must be the same");
        }
    }

    private void sameCount(long expected, Buffer buffer, String name) {
        if (buffer.count() != expected) {
            throw new IllegalArgumentException(what() + ": " + name + " holds " + buffer.count()
                    + " elements instead of " + expected + "; pass a slice to communicate a part of a buffer");
        }
    }

    private void sameCount(long sent, long received) {
        if (sent != received) {
            throw new IllegalArgumentException(what() + ": this rank sends " + sent
                    + " elements to itself but receives " + received + " from itself");
        }
    }

    private void sizeTimes(Buffer part, String partName, Buffer whole, String wholeName) {
        if (whole.count() % size != 0 || whole.count() / size != part.count()) {
            throw new IllegalArgumentException(what() + ": " + wholeName + " holds " + whole.count()
                    + " elements instead of " + size + " x " + part.count() + " (the count of " + partName
                    + " for each rank)");
        }
    }

    private void supported(ReduceOp op, Buffer buffer) {
        notNull(op, "op");
        if (!op.supports(buffer.type())) {
            throw new IllegalArgumentException(what() + ": " + op + " is not defined for " + buffer.type()
                    + (buffer.type().isComplex()
                            ? "; complex numbers have SUM, PROD and AVG"
                            : "; floating-point numbers have SUM, PROD, AVG, MIN and MAX"));
        }
    }

    private void inRange(int rank, String name) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    what() + ": " + name + " " + rank + " is not a rank from 0 to " + (size - 1));
        }
    }

    private void parts(long[] counts, long[] offsets, Buffer buffer, String name) {
        if (counts == null || offsets == null) {
            throw new NullPointerException(
                    what() + ": the array of " + (counts == null ? "counts" : "offsets") + " for " + name + " is null");
        }
        if (counts.length != size || offsets.length != size) {
            throw new IllegalArgumentException(what() + ": " + counts.length + " counts and " + offsets.length
                    + " offsets for " + name + " instead of " + size + ", one for each rank");
        }
        for (int r = 0; r < size; r++) {
            if (counts[r] < 0 || offsets[r] < 0 || offsets[r] > buffer.count() - counts[r]) {
                throw new IllegalArgumentException(
                        what() + ": the part of rank " + r + " (" + counts[r] + " elements at " + offsets[r]
                                + ") is not inside " + name + " of " + buffer.count() + " elements");
            }
        }
    }

    /** Parts that are written must not overlap, or the result would depend on who comes first. */
    private void partsApart(long[] counts, long[] offsets) {
        for (int r = 1; r < size; r++) {
            // Parts in rank order, the usual case, need one comparison each.
            if (offsets[r] >= offsets[r - 1] + counts[r - 1]) {
                continue;
            }
            for (int a = 0; a < size; a++) {
                for (int b = a + 1; b < size; b++) {
                    if (counts[a] > 0
                            && counts[b] > 0
                            && offsets[a] < offsets[b] + counts[b]
                            && offsets[b] < offsets[a] + counts[a]) {
                        throw new IllegalArgumentException(
                                what() + ": the parts of ranks " + a + " and " + b + " overlap in recv");
                    }
                }
            }
            return;
        }
    }

    private void disjoint(Buffer send, Buffer recv) {
        if (overlap(send, recv)) {
            throw new IllegalArgumentException(what() + ": send and recv overlap; this operation has no in-place form");
        }
    }

    /** No overlap, unless element {@code sendAt} of send is element {@code recvAt} of recv: the in-place form. */
    private void apart(Buffer send, Buffer recv, long sendAt, long recvAt, String inPlace) {
        int bytes = send.type().bytes();
        if (overlap(send, recv) && send.address() + sendAt * bytes != recv.address() + recvAt * bytes) {
            throw new IllegalArgumentException(
                    what() + ": send and recv overlap, but not in the in-place form, in which " + inPlace);
        }
    }

    /** Whether two buffers have bytes in common; one that is not there has none. */
    static boolean overlap(@Nullable Buffer a, @Nullable Buffer b) {
        return a != null
                && b != null
                && a.byteSize() > 0
                && b.byteSize() > 0
                && a.address() < b.address() + b.byteSize()
                && b.address() < a.address() + a.byteSize();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind.method()).append('(');
        String separator = "";
        if (send != null) {
            text.append("send ").append(send.count()).append(" x ").append(send.type());
            separator = ", ";
        }
        if (recv != null) {
            text.append(separator)
                    .append("recv ")
                    .append(recv.count())
                    .append(" x ")
                    .append(recv.type());
            separator = ", ";
        }
        if (op != null) {
            text.append(separator).append(op);
        }
        if (peer >= 0) {
            text.append(separator)
                    .append(kind.isPointToPoint() ? "peer " : "root ")
                    .append(peer);
        }
        return text.append(')').toString();
    }
}
