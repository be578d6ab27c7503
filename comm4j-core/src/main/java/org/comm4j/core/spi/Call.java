// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Arrays;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * One checked call of an operation: what engines execute, groups collect, checked mode compares and events report. Each
 * of the methods named after operations fills in the fields and checks the arguments completely before it returns, so
 * that a call object that an engine sees is valid for its rank. Objects are reused; nothing is allocated here on the
 * good path.
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

    // What the buffers say, asked once: each answer may be a call through their interface.
    private @Nullable DataType type;
    private long count;
    private long sendAddress;
    private long sendCount;
    private long sendBytes;
    private long recvAddress;
    private long recvCount;
    private long recvBytes;

    private long[] sendCounts = NONE;
    private long[] sendOffsets = NONE;
    private long[] recvCounts = NONE;
    private long[] recvOffsets = NONE;
    /** Where {@link #keepCounts} puts its copies. */
    private long[][] kept = {};
    /**
     * Whether there are counts and offsets. Looking at the arrays would touch memory beside which another rank's thread
     * may write.
     */
    private boolean uneven;

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
        return type;
    }

    /** The address of what is read; 0 where this rank sends nothing. */
    public long sendAddress() {
        return sendAddress;
    }

    /** The address of what is written; 0 where this rank receives nothing. */
    public long recvAddress() {
        return recvAddress;
    }

    /** Bytes from {@link #sendAddress} on. */
    long sendBytes() {
        return sendBytes;
    }

    /** Bytes from {@link #recvAddress} on. */
    long recvBytes() {
        return recvBytes;
    }

    /**
     * The count that must be the same on all ranks: of the whole vector for the reductions to all or one and for
     * broadcast, of one part for the gathering and scattering ones, of the message for send and receive; 0 where it may
     * differ.
     */
    public long count() {
        return count;
    }

    /** Bytes of this rank's larger buffer. */
    public long bytes() {
        return Math.max(sendBytes, recvBytes);
    }

    // ---- one method an operation: fill in and check ----

    public Call allReduce(Buffer send, Buffer recv, ReduceOp op) {
        begin(Kind.ALL_REDUCE, -1);
        both(need(send, "send"), need(recv, "recv"));
        sameCount(sendCount, recvCount, "recv");
        reduces(op);
        apart(0, 0, "both are the same memory");
        return of(sendCount, op);
    }

    public Call reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root) {
        beginRooted(Kind.REDUCE, root);
        if (rank == root) {
            both(need(send, "send"), need(recv, "recv (on the root)"));
            sameCount(sendCount, recvCount, "recv");
            apart(0, 0, "both are the same memory");
        } else {
            readOnly(need(send, "send"));
        }
        reduces(op);
        return of(sendCount, op);
    }

    public Call broadcast(@Nullable Buffer send, Buffer recv, int root) {
        beginRooted(Kind.BROADCAST, root);
        Buffer target = need(recv, "recv");
        if (rank == root) {
            both(need(send, "send (on the root)"), target);
            sameCount(sendCount, recvCount, "recv");
            apart(0, 0, "both are the same memory");
        } else {
            writeOnly(target);
        }
        return of(recvCount);
    }

    public Call allGather(Buffer send, Buffer recv) {
        begin(Kind.ALL_GATHER, -1);
        both(need(send, "send"), need(recv, "recv"));
        sizeTimes(sendCount, "send", recvCount, "recv");
        apart(0, rank * sendCount, "send is this rank's part of recv");
        return of(sendCount);
    }

    public Call allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        begin(Kind.ALL_GATHER_V, -1);
        both(need(send, "send"), need(recv, "recv"));
        parts(counts, offsets, recvCount, "recv");
        partsApart(counts, offsets);
        sameCount(counts[rank], sendCount, "send");
        apart(0, offsets[rank], "send is this rank's part of recv");
        uneven = true;
        recvCounts = counts;
        recvOffsets = offsets;
        return of(0);
    }

    public Call reduceScatter(Buffer send, Buffer recv, ReduceOp op) {
        begin(Kind.REDUCE_SCATTER, -1);
        both(need(send, "send"), need(recv, "recv"));
        sizeTimes(recvCount, "recv", sendCount, "send");
        reduces(op);
        apart(rank * recvCount, 0, "recv is this rank's part of send");
        return of(recvCount, op);
    }

    public Call allToAll(Buffer send, Buffer recv) {
        begin(Kind.ALL_TO_ALL, -1);
        both(need(send, "send"), need(recv, "recv"));
        sameCount(sendCount, recvCount, "recv");
        long part = sendCount / size;
        if (part * size != sendCount) {
            throw new IllegalArgumentException(what() + ": send holds " + sendCount + " elements, which are not " + size
                    + " equal parts, one for each rank; use allToAllV for uneven parts");
        }
        disjoint();
        return of(part);
    }

    public Call allToAllV(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets) {
        begin(Kind.ALL_TO_ALL_V, -1);
        both(need(send, "send"), need(recv, "recv"));
        parts(sendCounts, sendOffsets, sendCount, "send");
        parts(recvCounts, recvOffsets, recvCount, "recv");
        partsApart(recvCounts, recvOffsets);
        sameCount(sendCounts[rank], recvCounts[rank]);
        disjoint();
        uneven = true;
        this.sendCounts = sendCounts;
        this.sendOffsets = sendOffsets;
        this.recvCounts = recvCounts;
        this.recvOffsets = recvOffsets;
        return of(0);
    }

    public Call gather(Buffer send, @Nullable Buffer recv, int root) {
        beginRooted(Kind.GATHER, root);
        if (rank == root) {
            both(need(send, "send"), need(recv, "recv (on the root)"));
            sizeTimes(sendCount, "send", recvCount, "recv");
            apart(0, rank * sendCount, "send is this rank's part of recv");
        } else {
            readOnly(need(send, "send"));
        }
        return of(sendCount);
    }

    public Call scatter(@Nullable Buffer send, Buffer recv, int root) {
        beginRooted(Kind.SCATTER, root);
        Buffer target = need(recv, "recv");
        if (rank == root) {
            both(need(send, "send (on the root)"), target);
            sizeTimes(recvCount, "recv", sendCount, "send");
            apart(rank * recvCount, 0, "recv is this rank's part of send");
        } else {
            writeOnly(target);
        }
        return of(recvCount);
    }

    public Call send(Buffer buffer, int peer) {
        begin(Kind.SEND, peer);
        inRange(peer, "peer");
        readOnly(need(buffer, "buffer"));
        return of(sendCount);
    }

    public Call recv(Buffer buffer, int peer) {
        begin(Kind.RECV, peer);
        inRange(peer, "peer");
        writeOnly(need(buffer, "buffer"));
        return of(recvCount);
    }

    /** This call, outside a group: a blocking send to oneself would wait for a receive that can never be called. */
    public Call notToSelf() {
        if (isToSelf()) {
            throw new IllegalArgumentException(what()
                    + ": peer is this rank itself, which can only be done inside a group, together with its"
                    + " counterpart");
        }
        return this;
    }

    public Call barrier() {
        begin(Kind.BARRIER, -1);
        return withoutData();
    }

    public Call split(int color) {
        begin(Kind.SPLIT, -1);
        if (color < -1) {
            throw new IllegalArgumentException(
                    what() + ": color " + color + " is not allowed; a color is at least 0, or -1 to take no part");
        }
        return withoutData();
    }

    /** Takes copies of the arrays of counts and offsets, for a call that is executed after its method has returned. */
    public Call keepCounts() {
        if (uneven) {
            if (kept.length == 0) {
                kept = new long[4][size];
            }
            sendCounts = copy(sendCounts, kept[0]);
            sendOffsets = copy(sendOffsets, kept[1]);
            recvCounts = copy(recvCounts, kept[2]);
            recvOffsets = copy(recvOffsets, kept[3]);
        }
        return this;
    }

    private static long[] copy(long[] from, long[] to) {
        if (from.length == 0) {
            return from;
        }
        System.arraycopy(from, 0, to, 0, to.length);
        return to;
    }

    // ---- a group's calls together ----

    /**
     * What a rank sends to itself must be received in the same group, or the group, the first {@code count} calls,
     * could never end.
     */
    public static void checkSelfMessages(Call[] calls, int count) {
        int next = 0;
        for (int i = 0; i < count; i++) {
            if (calls[i].isToSelf(Kind.SEND)) {
                next = counterpart(calls, count, i, next) + 1;
            }
        }
        for (; next < count; next++) {
            if (calls[next].isToSelf(Kind.RECV)) {
                throw unmatched(calls, count, next);
            }
        }
    }

    /** The receive from this rank, at {@code from} or later in the group, that belongs to a send. */
    private static int counterpart(Call[] calls, int count, int send, int from) {
        for (int i = from; i < count; i++) {
            Call call = calls[i];
            if (call.isToSelf(Kind.RECV)) {
                if (call.type != calls[send].type || call.count != calls[send].count) {
                    break;
                }
                return i;
            }
        }
        throw unmatched(calls, count, send);
    }

    /** Whether it is a message from this rank to itself. */
    public boolean isToSelf() {
        return kind.isPointToPoint() && peer == rank;
    }

    private boolean isToSelf(Kind kind) {
        return this.kind == kind && peer == rank;
    }

    private static IllegalArgumentException unmatched(Call[] calls, int count, int at) {
        Call call = calls[at];
        return new IllegalArgumentException("group on rank " + call.rank + " of " + call.size
                + ": a send to oneself needs its recv, of the same type and count, in the same group; " + call
                + " has none in " + Arrays.asList(calls).subList(0, count));
    }

    // ---- filling in ----

    private void begin(Kind kind, int peer) {
        this.kind = kind;
        this.peer = peer;
        if (uneven) {
            uneven = false;
            sendCounts = sendOffsets = recvCounts = recvOffsets = NONE;
        }
    }

    private void beginRooted(Kind kind, int root) {
        begin(kind, root);
        inRange(root, "root");
    }

    /** @param from and {@code to}: checked by {@link #need}, in the order in which they are reported */
    private void both(Buffer from, Buffer to) {
        reads(from);
        writes(to);
        DataType sent = from.type();
        DataType received = to.type();
        if (sent != received) {
            throw new IllegalArgumentException(
                    what() + ": send holds " + sent + " but recv holds " + received + "; they must be the same");
        }
        setBytes(sent);
    }

    private void readOnly(Buffer buffer) {
        reads(buffer);
        writesNothing();
        setBytes(buffer.type());
    }

    private void writeOnly(Buffer buffer) {
        readsNothing();
        writes(buffer);
        setBytes(buffer.type());
    }

    private Call withoutData() {
        readsNothing();
        writesNothing();
        type = null;
        sendBytes = recvBytes = 0;
        return of(0);
    }

    private void reads(Buffer buffer) {
        send = buffer;
        sendAddress = buffer.address();
        sendCount = buffer.count();
    }

    private void readsNothing() {
        send = null;
        sendAddress = sendCount = 0;
    }

    private void writes(Buffer buffer) {
        recv = buffer;
        recvAddress = buffer.address();
        recvCount = buffer.count();
    }

    private void writesNothing() {
        recv = null;
        recvAddress = recvCount = 0;
    }

    private void setBytes(DataType elements) {
        type = elements;
        sendBytes = sendCount * elements.bytes();
        recvBytes = recvCount * elements.bytes();
    }

    private Call of(long count) {
        return of(count, null);
    }

    private Call of(long count, @Nullable ReduceOp op) {
        this.count = count;
        this.op = op;
        return this;
    }

    // ---- checks ----

    private String what() {
        return kind.method() + " on rank " + rank + " of " + size;
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
     * Checks that the buffers are still there, for a call that is made again.
     *
     * @throws IllegalStateException if one was freed
     */
    void checkAlive() {
        if (send != null) {
            need(send, "send");
        }
        if (recv != null) {
            need(recv, "recv");
        }
    }

    /**
     * That {@code thread} can read what is sent and write what is received: an engine that finds out in the middle
     * leaves the ranks out of step.
     *
     * @throws IllegalArgumentException if memory belongs to another thread (a confined arena), or what is to be
     *     received would go to read-only memory
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
        return send != null && recv != null && sendAddress == recvAddress;
    }

    private @Nullable Buffer reachable(@Nullable Buffer buffer, String name, Thread thread) {
        if (buffer instanceof HostArray array && !array.segment().isAccessibleBy(thread)) {
            throw new IllegalArgumentException(what() + ": the memory of " + name + " " + array
                    + " is that of one thread (a confined arena), and this is done by another one, as all asynchronous"
                    + " calls are; take Arena.ofShared() or Arena.ofAuto()");
        }
        return buffer;
    }

    private void sameCount(long expected, long actual, String name) {
        if (actual != expected) {
            throw new IllegalArgumentException(what() + ": " + name + " holds " + actual + " elements instead of "
                    + expected + "; pass a slice to communicate a part of a buffer");
        }
    }

    private void sameCount(long sent, long received) {
        if (sent != received) {
            throw new IllegalArgumentException(what() + ": this rank sends " + sent
                    + " elements to itself but receives " + received + " from itself");
        }
    }

    private void sizeTimes(long part, String partName, long whole, String wholeName) {
        // Without overflow: a count is a number of elements that memory can hold.
        if (whole / size != part || whole % size != 0) {
            throw new IllegalArgumentException(what() + ": " + wholeName + " holds " + whole + " elements instead of "
                    + size + " x " + part + " (the count of " + partName + " for each rank)");
        }
    }

    private void reduces(ReduceOp op) {
        if (op == null) {
            throw new NullPointerException(what() + ": op is null");
        }
        DataType elements = Objects.requireNonNull(type);
        if (!op.supports(elements)) {
            throw new IllegalArgumentException(what() + ": " + op + " is not defined for " + elements
                    + (elements.isComplex()
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

    private void parts(long[] counts, long[] offsets, long whole, String name) {
        if (counts == null || offsets == null) {
            throw new NullPointerException(
                    what() + ": the array of " + (counts == null ? "counts" : "offsets") + " for " + name + " is null");
        }
        if (counts.length != size || offsets.length != size) {
            throw new IllegalArgumentException(what() + ": " + counts.length + " counts and " + offsets.length
                    + " offsets for " + name + " instead of " + size + ", one for each rank");
        }
        for (int r = 0; r < size; r++) {
            if (counts[r] < 0 || offsets[r] < 0 || offsets[r] > whole - counts[r]) {
                throw new IllegalArgumentException(what() + ": the part of rank " + r + " (" + counts[r]
                        + " elements at " + offsets[r] + ") is not inside " + name + " of " + whole + " elements");
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

    private void disjoint() {
        if (readsWhatIsWritten()) {
            throw new IllegalArgumentException(what() + ": send and recv overlap; this operation has no in-place form");
        }
    }

    /** No overlap, unless element {@code sendAt} of send is element {@code recvAt} of recv: the in-place form. */
    private void apart(long sendAt, long recvAt, String inPlace) {
        if (readsWhatIsWritten()) {
            int bytes = Objects.requireNonNull(type).bytes();
            if (sendAddress + sendAt * bytes != recvAddress + recvAt * bytes) {
                throw new IllegalArgumentException(
                        what() + ": send and recv overlap, but not in the in-place form, in which " + inPlace);
            }
        }
    }

    /** Whether some of what is read is written by this call itself. */
    boolean readsWhatIsWritten() {
        return overlap(sendAddress, sendBytes, recvAddress, recvBytes);
    }

    /** Whether one of two calls writes what the other one reads or writes. */
    boolean dependsOn(Call other) {
        return overlap(recvAddress, recvBytes, other.sendAddress, other.sendBytes)
                || overlap(recvAddress, recvBytes, other.recvAddress, other.recvBytes)
                || overlap(sendAddress, sendBytes, other.recvAddress, other.recvBytes);
    }

    /** Whether two ranges have bytes in common; an empty one has none. */
    private static boolean overlap(long a, long aBytes, long b, long bBytes) {
        return a < b + bBytes && b < a + aBytes && aBytes > 0 && bBytes > 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind.method()).append('(');
        String separator = "";
        if (send != null) {
            text.append("send ").append(sendCount).append(" x ").append(type);
            separator = ", ";
        }
        if (recv != null) {
            text.append(separator)
                    .append("recv ")
                    .append(recvCount)
                    .append(" x ")
                    .append(type);
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
