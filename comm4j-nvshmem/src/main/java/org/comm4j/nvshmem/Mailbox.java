// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Waiting;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of a communicator exchange memory of any kind: each rank has {@value #SLOTS} slots for each other one
 * in symmetric memory. A sender puts a piece into a free slot and sets a signal to the number of pieces so far ({@code
 * nvshmemx_putmem_signal_on_stream}); the receiver copies it out and sets a signal at the sender to the number of
 * pieces it has taken.
 *
 * <p>Nothing waits in a stream. The host looks at the signals, by a copy beside the stream, and puts in what can run.
 * So a wait that is given up leaves nothing behind that would hold up the GPU or write to memory later, other
 * communicators go on, and no order of ranks, pieces or streams can end in a deadlock: whatever can move does.
 */
final class Mailbox {
    private static final int SLOTS = 4;
    /** The words that ranks can tell each other at a meeting. */
    static final int WORDS = 12;

    private static final long MOST = 2 << 20;
    private static final long LARGEST_SLOT = 256 << 10;
    private static final long SMALLEST_SLOT = 16 << 10;

    /** Before a message in checked mode: its type and count. */
    private static final int HEADER_WORDS = 2;

    private static final int HEADERS = 64;

    private final Session session;
    private final Workspace workspace;
    private final int rank;
    private final int size;
    private final int[] pes;
    /** Where each rank's part of the workspace begins. */
    private final long[] parts;

    private final String where;
    private final Patience patience;
    final Stream stream;
    /** For looking at signals, whatever is in {@link #stream}. */
    private final Stream look;

    private final long slot;
    /** Of what a part holds: the offsets behind the signals. */
    private final long inWords;

    private final long outWords;
    private final long outHeaders;
    private final long outSlot;
    private final long slots;

    /** The signals as they were at the last look. */
    private final PinnedArray seen;

    private final PinnedArray saidWords;
    private final PinnedArray heardWords;
    private final PinnedArray saidHeaders;
    private final PinnedArray heardHeader;

    private final boolean[] reached;
    private final Queue[] sends;
    private final Queue[] receives;
    /** Pieces, since the beginning, to and from each rank. */
    private final long[] sent;

    private final long[] taken;
    private long meeting;
    private long headers;
    /** Something began and has not ended, or failed: nobody knows what the others may still write here. */
    private boolean isUnderWay;

    private @Nullable CollectiveMismatchException mismatch;

    private final BooleanSupplier step = this::step;
    private final BooleanSupplier allArrived = this::allArrived;
    private final BooleanSupplier idle;

    /** What goes between this rank and another one, in its order; grows and is used again. */
    private static final class Queue {
        long[] address = new long[4];
        /** Bytes, or for a header the count. */
        long[] length = new long[4];
        /** Of a header; null for data. */
        @Nullable
        DataType[] header = new DataType[4];

        int first;
        int end;
        /** The bytes of the first entry that are through. */
        long through;

        void add(long at, long bytes, @Nullable DataType type) {
            if (end == address.length) {
                address = Arrays.copyOf(address, 2 * end);
                length = Arrays.copyOf(length, 2 * end);
                header = Arrays.copyOf(header, 2 * end);
            }
            address[end] = at;
            length[end] = bytes;
            header[end++] = type;
        }

        boolean isEmpty() {
            return first == end;
        }

        void next() {
            through = 0;
            if (++first == end) {
                clear();
            }
        }

        void clear() {
            first = 0;
            end = 0;
            through = 0;
        }
    }

    /** The bytes of the workspace that a communicator of {@code size} ranks needs. */
    static long bytes(int size) {
        return slots(size) + (size == 1 ? 0 : (long) size * SLOTS * slot(size));
    }

    private static long slot(int size) {
        return Math.clamp(Long.highestOneBit(MOST / ((long) SLOTS * size)), SMALLEST_SLOT, LARGEST_SLOT);
    }

    private static long slots(int size) {
        long words = 3L * size + 2L * size * WORDS + WORDS + HEADERS * HEADER_WORDS;
        return (words * Long.BYTES + 511) / 512 * 512 + slot(size);
    }

    /**
     * Clears this rank's part of the workspace; before the others are told of it.
     *
     * @param part its offset
     * @param stream with nothing in it that waits
     */
    static void prepare(Session session, Workspace workspace, long part, int size, Stream stream) {
        session.device.makeCurrent();
        LibCuda.cuMemsetD32Async(workspace.address(part), 0, slots(size) / Integer.BYTES, stream.handle());
        session.complete(stream, session.timeoutNanos());
    }

    /**
     * @param pes the PEs of the ranks
     * @param parts where each has its part of the workspace
     * @param where who this rank is, for messages
     */
    Mailbox(Session session, Workspace workspace, int rank, int[] pes, long[] parts, String where) {
        this.session = session;
        this.workspace = workspace;
        this.rank = rank;
        this.size = pes.length;
        this.pes = pes;
        this.parts = parts;
        this.where = where;
        this.patience = new Patience(session, where, Peers.all(session.world).select(pes));
        this.slot = slot(size);
        this.inWords = 3L * size * Long.BYTES;
        this.outWords = inWords + 2L * size * WORDS * Long.BYTES;
        this.outHeaders = outWords + (long) WORDS * Long.BYTES;
        this.slots = slots(size);
        this.outSlot = slots - slot;
        this.stream = session.device.newStream();
        this.look = session.device.newStream();
        this.idle = stream::isDone;
        this.seen = pinned(3L * size);
        this.saidWords = pinned(WORDS);
        this.heardWords = pinned((long) size * WORDS);
        this.saidHeaders = pinned((long) HEADERS * HEADER_WORDS);
        this.heardHeader = pinned(HEADER_WORDS);
        this.sends = new Queue[size];
        this.receives = new Queue[size];
        this.sent = new long[size];
        this.taken = new long[size];
        this.reached = new boolean[size];
        Team near = session.teams.predefined(LibNvshmem.NVSHMEM_TEAM_SHARED, "shared");
        for (int peer = 0; peer < size; peer++) {
            sends[peer] = new Queue();
            receives[peer] = new Queue();
            reached[peer] = near != null && near.memberOf(pes[peer]) >= 0;
        }
    }

    private PinnedArray pinned(long words) {
        return session.device.allocatePinned(DataType.INT64, words);
    }

    // ---- what is to be exchanged ----

    /** Adds memory of this GPU to what goes to another rank. */
    void send(int peer, long address, long bytes) {
        sends[peer].add(address, bytes, null);
    }

    /** Adds memory of this GPU to what comes from another rank. */
    void receive(int peer, long address, long bytes) {
        receives[peer].add(address, bytes, null);
    }

    /** Says what follows, so that the receiver can compare. */
    void sendHeader(int peer, DataType type, long count) {
        sends[peer].add(0, count, type);
    }

    void receiveHeader(int peer, DataType type, long count) {
        receives[peer].add(0, count, type);
    }

    /**
     * Puts all that was added into {@link #stream} as it becomes possible; this rank's own part is then done when the
     * stream has passed it.
     *
     * @throws CollectiveMismatchException if a message was not as its receiver wants it; all is exchanged then
     *     nevertheless
     */
    void run(String operation, long timeoutNanos) {
        isUnderWay = true;
        session.device.makeCurrent();
        await(step, operation, timeoutNanos);
        isUnderWay = false;
        CollectiveMismatchException wrong = mismatch;
        if (wrong != null) {
            mismatch = null;
            finish(operation, timeoutNanos);
            throw wrong;
        }
    }

    /** Waits until this rank's GPU has done what was put into {@link #stream}. */
    void finish(String operation, long timeoutNanos) {
        isUnderWay = true;
        await(idle, operation, timeoutNanos);
        isUnderWay = false;
    }

    private void await(BooleanSupplier done, String operation, long timeoutNanos) {
        try {
            patience.await(done, operation, System.nanoTime(), timeoutNanos);
        } catch (CommException e) {
            for (int peer = 0; peer < size; peer++) {
                sends[peer].clear();
                receives[peer].clear();
            }
            throw e;
        }
    }

    private boolean step() {
        if (advance()) {
            return true;
        }
        refresh();
        return advance();
    }

    /** Copies the signals as they are now. */
    private void refresh() {
        session.device.makeCurrent();
        LibCuda.cuMemcpyDtoHAsync(seen.segment(), workspace.address(parts[rank]), seen.byteSize(), look.handle());
        LibCuda.cuStreamSynchronize(look.handle());
    }

    /** Whether all that was added is in the stream. */
    private boolean advance() {
        boolean all = true;
        for (int peer = 0; peer < size; peer++) {
            all &= sends[peer].isEmpty() || advanceSends(peer, sends[peer]);
            all &= receives[peer].isEmpty() || advanceReceives(peer, receives[peer]);
        }
        return all;
    }

    private boolean advanceSends(int peer, Queue queue) {
        while (!queue.isEmpty()) {
            DataType header = queue.header[queue.first];
            long left = queue.length[queue.first] - queue.through;
            if (header == null && left == 0) {
                queue.next();
                continue;
            }
            if (sent[peer] - seen.getLong(taken(peer)) >= SLOTS) {
                return false;
            }
            if (header == null) {
                long bytes = Math.min(left, slot);
                put(peer, queue.address[queue.first] + queue.through, bytes);
                queue.through += bytes;
            } else {
                putHeader(peer, header, queue.length[queue.first]);
                queue.next();
            }
        }
        return true;
    }

    private boolean advanceReceives(int peer, Queue queue) {
        while (!queue.isEmpty()) {
            DataType header = queue.header[queue.first];
            long left = queue.length[queue.first] - queue.through;
            if (header == null && left == 0) {
                queue.next();
                continue;
            }
            if (seen.getLong(filled(peer)) <= taken[peer]) {
                return false;
            }
            long from = workspace.address(parts[rank] + slotOffset(peer, taken[peer]));
            if (header == null) {
                long bytes = Math.min(left, slot);
                // What is not wanted has no address.
                if (queue.address[queue.first] != 0) {
                    copy(queue.address[queue.first] + queue.through, from, bytes);
                }
                queue.through += bytes;
            } else {
                LibCuda.cuMemcpyDtoHAsync(heardHeader.segment(), from, heardHeader.byteSize(), look.handle());
                LibCuda.cuStreamSynchronize(look.handle());
                compare(peer, queue, header);
                queue.next();
            }
            taken[peer]++;
            signal(peer, taken(rank), taken[peer]);
        }
        return true;
    }

    /**
     * In checked mode: the entry behind a header is what was sent, to be taken, but not kept, if it is not what is
     * wanted.
     */
    private void compare(int peer, Queue queue, DataType type) {
        long count = queue.length[queue.first];
        DataType sentType = DataType.values()[(int) heardHeader.getLong(0)];
        long sentCount = heardHeader.getLong(1);
        if (sentType != type || sentCount != count) {
            mismatch = new CollectiveMismatchException("recv on " + where + ": wants " + count + " x " + type
                    + " from rank " + peer + ", which sends " + sentCount + " x " + sentType);
            queue.address[queue.first + 1] = 0;
            queue.length[queue.first + 1] = sentCount * sentType.bytes();
        }
    }

    /** The number of a signal: what a rank has put here, ... */
    private int filled(int peer) {
        return size + peer;
    }

    /** ... what it has taken of that which was put there, ... */
    private int taken(int peer) {
        return 2 * size + peer;
    }

    private long slotOffset(int sender, long piece) {
        return slots + ((long) sender * SLOTS + piece % SLOTS) * slot;
    }

    private void put(int peer, long from, long bytes) {
        long source = from;
        if (!reached[peer]) {
            // The network takes symmetric memory only. The stream does not pass a put before its source can be used
            // again.
            source = workspace.address(parts[rank] + outSlot);
            copy(source, from, bytes);
        }
        long to = workspace.address(parts[peer] + slotOffset(rank, sent[peer]));
        put(peer, to, source, bytes, filled(rank), ++sent[peer]);
    }

    private void putHeader(int peer, DataType type, long count) {
        int at = (int) (headers++ % HEADERS) * HEADER_WORDS;
        if (at == 0) {
            // The places have been used before.
            LibCuda.cuStreamSynchronize(stream.handle());
        }
        saidHeaders.setLong(at, type.ordinal());
        saidHeaders.setLong(at + 1, count);
        long bytes = (long) HEADER_WORDS * Long.BYTES;
        long there = workspace.address(parts[rank] + outHeaders + (long) at * Long.BYTES);
        LibCuda.cuMemcpyHtoDAsync(there, saidHeaders.segment().asSlice((long) at * Long.BYTES), bytes, stream.handle());
        long to = workspace.address(parts[peer] + slotOffset(rank, sent[peer]));
        put(peer, to, there, bytes, filled(rank), ++sent[peer]);
    }

    private void put(int peer, long to, long from, long bytes, int signal, long value) {
        CUstream queue = session.enter("put of a communicator", stream);
        try {
            LibNvshmem.nvshmemx_putmem_signal_on_stream(
                    to, from, bytes, place(peer, signal), value, LibNvshmem.NVSHMEM_SIGNAL_SET, pes[peer], queue);
        } finally {
            session.leave();
        }
    }

    private void signal(int peer, int signal, long value) {
        CUstream queue = session.enter("signal of a communicator", stream);
        try {
            LibNvshmem.nvshmemx_signal_op_on_stream(
                    place(peer, signal), value, LibNvshmem.NVSHMEM_SIGNAL_SET, pes[peer], queue);
        } finally {
            session.leave();
        }
    }

    private long place(int peer, int signal) {
        return workspace.address(parts[peer] + (long) signal * Long.BYTES);
    }

    /** Puts a copy between places of this GPU into {@link #stream}. */
    void copy(long to, long from, long bytes) {
        if (bytes > 0 && to != from) {
            session.device.makeCurrent();
            LibCuda.cuMemcpyDtoDAsync(to, from, bytes, stream.handle());
        }
    }

    // ---- meetings ----

    /** Returns when all ranks have come, and what was put into {@link #stream} on this one is done. */
    void meet(String operation, long timeoutNanos) {
        isUnderWay = true;
        meeting++;
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                signal(peer, rank, meeting);
            }
        }
        awaitMeeting(operation, timeoutNanos);
    }

    /** {@link #meet}, and tells all ranks some words of each. */
    long[][] exchange(String operation, long timeoutNanos, long... mine) {
        isUnderWay = true;
        meeting++;
        // A rank that is one meeting ahead writes to the other half.
        long half = meeting % 2 * size * WORDS * Long.BYTES;
        for (int i = 0; i < mine.length; i++) {
            saidWords.setLong(i, mine[i]);
        }
        session.device.makeCurrent();
        long bytes = (long) mine.length * Long.BYTES;
        long from = workspace.address(parts[rank] + outWords);
        LibCuda.cuMemcpyHtoDAsync(from, saidWords.segment(), bytes, stream.handle());
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank) {
                long to = workspace.address(parts[peer] + inWords + half + (long) rank * WORDS * Long.BYTES);
                put(peer, to, from, bytes, rank, meeting);
            }
        }
        awaitMeeting(operation, timeoutNanos);
        session.device.makeCurrent();
        LibCuda.cuMemcpyDtoHAsync(
                heardWords.segment(),
                workspace.address(parts[rank] + inWords + half),
                heardWords.byteSize(),
                look.handle());
        LibCuda.cuStreamSynchronize(look.handle());
        long[][] all = new long[size][];
        for (int peer = 0; peer < size; peer++) {
            all[peer] = mine.clone();
            for (int i = 0; i < mine.length && peer != rank; i++) {
                all[peer][i] = heardWords.getLong((long) peer * WORDS + i);
            }
        }
        return all;
    }

    private void awaitMeeting(String operation, long timeoutNanos) {
        await(allArrived, operation, timeoutNanos);
        finish(operation, timeoutNanos);
    }

    private boolean allArrived() {
        refresh();
        for (int peer = 0; peer < size; peer++) {
            if (peer != rank && seen.getLong(peer) < meeting) {
                return false;
            }
        }
        return true;
    }

    // ---- end ----

    /**
     * Gives back everything but the part of the workspace, which is given back when nobody writes there any more: after
     * a failure never.
     */
    void close() {
        stream.close();
        look.close();
        seen.close();
        saidWords.close();
        heardWords.close();
        saidHeaders.close();
        heardHeader.close();
        if (session.isOpen() && !isUnderWay) {
            workspace.leave(this);
        }
    }

    /**
     * Of one that was left: whether the others have taken all that it sent; its part of the workspace is given back
     * then.
     */
    boolean isSettled() {
        for (int peer = 0; peer < size; peer++) {
            if (sent[peer] > 0 && load(place(rank, taken(peer))) < sent[peer]) {
                return false;
            }
        }
        workspace.free(parts[rank], bytes(size));
        return true;
    }

    private long load(long at) {
        session.enter("close of a communicator");
        try {
            return LibNvshmem.nvshmem_g(NvshmemType.UINT64, at, session.myPe);
        } finally {
            session.leave();
        }
    }

    /** How a rank waits: as long as there is hope. A wait that is given up concerns this communicator only. */
    private static final class Patience extends Waiting {
        private final Session session;
        private final String where;
        private final Peers peers;

        Patience(Session session, String where, Peers peers) {
            super(where, peers);
            this.session = session;
            this.where = where;
            this.peers = peers;
        }

        @Override
        protected void lookForErrors(Object what) {
            session.checkInStep(what.toString());
        }

        @Override
        protected CommException dead(Object what, List<Integer> failed) {
            int first = failed.getFirst();
            return new RankFailedException(
                    peers.worldRank(first),
                    what + " on " + where + ": "
                            + (failed.size() == 1 ? "rank " + first + " is gone" : "ranks " + failed + " are gone")
                            + peers.fate(first)
                            + "; close the communicator");
        }

        @Override
        protected CommException expired(Object what, long timeoutNanos) {
            return new CommTimeoutException(what + " on " + where + " is not done after " + timeoutNanos / 1_000_000
                    + " ms: another rank has not called it, has called something else, or is stuck; close the"
                    + " communicator");
        }
    }
}
