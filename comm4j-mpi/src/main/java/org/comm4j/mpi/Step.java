// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way: what it asks of MPI, and what is done with the memory before and after. Memory of devices is
 * MPI's where the library takes it and has the operation itself; else it goes through copies. MPI counts by ints, so
 * that what has more elements is cut into pieces, or goes by messages.
 */
final class Step {
    /** The most elements of one MPI call; a smaller number is for tests. */
    static final long LIMIT =
            Math.clamp(Long.getLong("org.comm4j.mpi.limit", Integer.MAX_VALUE), 1, (long) Integer.MAX_VALUE);

    /** The tag of messages, and that of the messages of which a collective operation consists. */
    static final int MESSAGE = 0;

    private static final int PART = 1;

    private final MpiProcess process;
    private final MpiTypes types;
    private final Ends ends;
    private final Runnable issue = this::issue;
    private final long comm;
    /** The MPI communicator of messages, which is one of its own if they have tags. */
    private final long messages;

    private final int tag;
    private final int rank;
    private final int size;
    private final long inPlace;

    private @Nullable Call call;
    private @Nullable Requests requests;
    /** True if MPI's blocking functions are called, where there is one for the whole. */
    private boolean blocking;

    private @Nullable Buffer from;
    private @Nullable Buffer to;
    private Wire wire = Wire.PLAIN;
    private @Nullable HostArray encoded;
    private @Nullable HostArray result;
    private boolean usesResult;
    private @Nullable Halves halves;
    private @Nullable MemorySegment ints;

    /** @param tag of the messages, on {@code messages} */
    Step(MpiProcess process, Staging staging, long comm, int rank, int size, long messages, int tag) {
        this.messages = messages;
        this.tag = tag;
        this.process = process;
        this.types = process.types();
        this.ends = new Ends(staging, process.takesDeviceMemory());
        this.comm = comm;
        this.rank = rank;
        this.size = size;
        this.inPlace = process.abi().get("IN_PLACE");
    }

    /**
     * Starts everything that the call needs.
     *
     * @param requests to which is added what must end
     * @param blocking whether to do it by MPI's blocking functions where there is one; requests may remain even so
     */
    void start(Call call, Requests requests, boolean blocking) {
        this.call = call;
        this.requests = requests;
        this.blocking = blocking;
        ReduceOp op = call.op();
        DataType type = call.type();
        wire = op == null || type == null ? Wire.PLAIN : Wire.of(type, op, process.isRight(type, op));
        Buffer freed = Ends.freed(call);
        if (freed != null) {
            throw new CommException(call + " on rank " + rank + " of " + size + ": the memory of " + freed
                    + " was freed after the call was made; close this communicator");
        }
        ends.open(call, wire);
        from = ends.from();
        to = ends.to();
        ends.during(issue);
    }

    private void issue() {
        process.lock();
        try {
            issue(Objects.requireNonNull(call));
        } finally {
            process.unlock();
        }
    }

    private void issue(Call call) {
        switch (call.kind()) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> reduction(call);
            case BROADCAST -> broadcast(call);
            case ALL_GATHER -> allGather(call);
            case ALL_GATHER_V -> allGatherV(call);
            case ALL_TO_ALL -> allToAll(call);
            case ALL_TO_ALL_V -> {
                for (int r = 0; r < size; r++) {
                    receive(call, r, call.recvOffsets()[r], call.recvCounts()[r], PART, comm);
                }
                for (int r = 0; r < size; r++) {
                    send(call, r, call.sendOffsets()[r], call.sendCounts()[r], PART, comm);
                }
            }
            case GATHER -> gather(call);
            case SCATTER -> scatter(call);
            case SEND -> send(call, call.peer(), 0, call.count(), tag, messages);
            case RECV -> receive(call, call.peer(), 0, call.count(), tag, messages);
            case BARRIER -> check(Issue.barrier(comm, request(call)));
            case SPLIT -> throw new AssertionError("a split is no step");
        }
    }

    /** Starts to receive a message that fits nowhere, so that the next one is not taken for it. */
    void lose(Call call, Requests requests, DataType type, long count) {
        this.call = call;
        HostArray lost = HostArray.allocate(type, count);
        to = lost;
        long at = 0;
        do {
            int piece = piece(count, at);
            check(LibMpi.MPI_Irecv(
                    lost.address() + at * type.bytes(),
                    piece,
                    types.of(type),
                    call.peer(),
                    MESSAGE,
                    comm,
                    requests.next(call)));
            at += piece;
        } while (at < count);
    }

    /** Returns the buffers that MPI uses, before the end. */
    List<Buffer> buffers() {
        return Stream.of(from, to).filter(Objects::nonNull).toList();
    }

    /** Brings what has come to where it belongs, after all has ended. */
    void finish() {
        Call call = Objects.requireNonNull(this.call);
        ReduceOp op = call.op();
        // What is a device's has come there.
        HostArray into = to instanceof HostArray host ? host : null;
        if (into != null && op != null) {
            if (wire != Wire.PLAIN) {
                wire.decode(Objects.requireNonNull(result), into, op, size, halves());
            } else {
                if (usesResult) {
                    into.copyFrom(Objects.requireNonNull(result));
                }
                if (op == ReduceOp.AVG) {
                    Wire.divide(into, size);
                }
            }
        }
        if (call.kind() == Call.Kind.BROADCAST
                && into != null
                && from instanceof HostArray sent
                && sent.address() != into.address()) {
            into.copyFrom(sent);
        }
        Buffer target = call.recv();
        if (into != null && target != null && !(target instanceof HostArray)) {
            target.copyFrom(into);
        }
        clear();
    }

    private Halves halves() {
        Halves known = halves == null ? new Halves() : halves;
        halves = known;
        return known;
    }

    /** Lets go of the buffers. */
    void clear() {
        call = null;
        requests = null;
        from = to = null;
        usesResult = false;
        ends.clear();
    }

    /** Returns memory of the last call where it fits, so that calls of one size allocate nothing. */
    private static HostArray scratch(@Nullable HostArray last, DataType type, long count) {
        return last != null && last.type() == type && last.count() == count ? last : HostArray.allocate(type, count);
    }

    // ---- reductions ----

    private void reduction(Call call) {
        Buffer source = Objects.requireNonNull(from);
        Buffer target = to;
        ReduceOp op = Objects.requireNonNull(call.op());
        DataType type = wire.type(source.type());
        if (wire != Wire.PLAIN) {
            encoded = scratch(encoded, type, source.count());
            wire.encode((HostArray) source, encoded, op, halves());
            source = encoded;
        }
        boolean scattered = call.kind() == Call.Kind.REDUCE_SCATTER;
        if (target != null && (wire != Wire.PLAIN || scattered && Ends.isWithin(target, source))) {
            result = scratch(result, type, target.count());
            target = result;
            usesResult = true;
        }
        int bytes = type.bytes();
        long handle = types.of(type);
        long mpiOp = types.of(op);
        long send = source.address();
        long recv = target == null ? 0 : target.address();
        long count = call.count();
        if (scattered && count <= LIMIT / size) {
            check(Issue.reduceScatter(send, recv, (int) count, handle, mpiOp, comm, request(call)));
            return;
        }
        if (scattered) {
            for (int r = 0; r < size; r++) {
                reduce(call, send + r * count * bytes, recv, count, handle, bytes, mpiOp, r);
            }
            return;
        }
        if (call.kind() == Call.Kind.REDUCE) {
            boolean same = send == recv && call.peer() == rank;
            if (same && blocking && process.abi().family() == Abi.Family.MPICH && source instanceof HostArray host) {
                // MPICH 4.0 reads from the address MPI_IN_PLACE.
                encoded = scratch(encoded, type, count);
                encoded.copyFrom(host);
                send = encoded.address();
            }
            reduce(call, send, recv, count, handle, bytes, mpiOp, call.peer());
            return;
        }
        boolean same = send == recv && count > 0;
        long at = 0;
        do {
            int piece = piece(count, at);
            check(Issue.allReduce(
                    same ? inPlace : send + at * bytes, recv + at * bytes, piece, handle, mpiOp, comm, request(call)));
            at += piece;
        } while (at < count);
    }

    private void reduce(Call call, long send, long recv, long count, long handle, int bytes, long mpiOp, int root) {
        boolean same = root == rank && send == recv && count > 0;
        long at = 0;
        do {
            int piece = piece(count, at);
            check(Issue.reduce(
                    same ? inPlace : send + at * bytes,
                    root == rank ? recv + at * bytes : 0,
                    piece,
                    handle,
                    mpiOp,
                    root,
                    comm,
                    request(call)));
            at += piece;
        } while (at < count);
    }

    private static int piece(long count, long at) {
        return (int) Math.min(LIMIT, count - at);
    }

    // ---- moves ----

    private void broadcast(Call call) {
        Buffer array = Objects.requireNonNull(from != null ? from : to);
        long handle = types.of(array.type());
        long at = 0;
        do {
            int piece = piece(array.count(), at);
            check(Issue.broadcast(
                    array.address() + at * array.type().bytes(), piece, handle, call.peer(), comm, request(call)));
            at += piece;
        } while (at < array.count());
    }

    private void allGather(Call call) {
        Buffer source = Objects.requireNonNull(from);
        Buffer target = Objects.requireNonNull(to);
        long count = call.count();
        if (count > LIMIT / size) {
            for (int r = 0; r < size; r++) {
                gatherFrom(call, r, r * count, count);
            }
            return;
        }
        long handle = types.of(source.type());
        boolean same = count > 0 && source.address() == target.address() + rank * count * bytes();
        check(Issue.allGather(
                same ? inPlace : source.address(), target.address(), (int) count, handle, comm, request(call)));
    }

    private void allGatherV(Call call) {
        Buffer source = Objects.requireNonNull(from);
        Buffer target = Objects.requireNonNull(to);
        long[] counts = call.recvCounts();
        long[] offsets = call.recvOffsets();
        long most = 0;
        long least = Long.MAX_VALUE;
        for (int r = 0; r < size; r++) {
            most = Math.max(most, offsets[r] + counts[r]);
            least = Math.min(least, counts[r]);
        }
        // Intel's MPI waits for ever where a rank gives nothing; MPICH 4.0 ignores the offset of a single rank.
        if (most > LIMIT || least == 0 || size == 1) {
            for (int r = 0; r < size; r++) {
                gatherFrom(call, r, offsets[r], counts[r]);
            }
            return;
        }
        MemorySegment numbers = ints;
        if (numbers == null) {
            numbers = Arena.ofAuto().allocate(8L * size, 8);
            ints = numbers;
        }
        for (int r = 0; r < size; r++) {
            numbers.setAtIndex(ValueLayout.JAVA_INT, r, (int) counts[r]);
            numbers.setAtIndex(ValueLayout.JAVA_INT, size + r, (int) offsets[r]);
        }
        long handle = types.of(source.type());
        boolean same = source.count() > 0 && source.address() == target.address() + offsets[rank] * bytes();
        check(Issue.allGatherV(
                same ? inPlace : source.address(),
                (int) source.count(),
                target.address(),
                numbers.address(),
                numbers.address() + 4L * size,
                handle,
                comm,
                request(call)));
    }

    /** Moves one rank's part by messages: this rank's goes to that rank, and the other way round. */
    private void gatherFrom(Call call, int r, long offset, long count) {
        Buffer source = Objects.requireNonNull(from);
        Buffer target = Objects.requireNonNull(to);
        if (r == rank && source.address() == target.address() + offset * bytes()) {
            return;
        }
        receive(call, r, offset, count, PART, comm);
        send(call, r, 0, source.count(), PART, comm);
    }

    private void allToAll(Call call) {
        Buffer source = Objects.requireNonNull(from);
        Buffer target = Objects.requireNonNull(to);
        long count = call.count();
        if (count > LIMIT / size) {
            for (int r = 0; r < size; r++) {
                receive(call, r, r * count, count, PART, comm);
                send(call, r, r * count, count, PART, comm);
            }
            return;
        }
        long handle = types.of(source.type());
        check(Issue.allToAll(source.address(), target.address(), (int) count, handle, comm, request(call)));
    }

    private void gather(Call call) {
        Buffer source = Objects.requireNonNull(from);
        Buffer target = to;
        long count = call.count();
        boolean same = target != null && count > 0 && source.address() == target.address() + rank * count * bytes();
        if (count > LIMIT / size) {
            if (target != null) {
                for (int r = 0; r < size; r++) {
                    if (!(same && r == rank)) {
                        receive(call, r, r * count, count, PART, comm);
                    }
                }
            }
            if (!same) {
                send(call, call.peer(), 0, count, PART, comm);
            }
            return;
        }
        long handle = types.of(source.type());
        check(Issue.gather(
                same ? inPlace : source.address(),
                target == null ? 0 : target.address(),
                (int) count,
                handle,
                call.peer(),
                comm,
                request(call)));
    }

    private void scatter(Call call) {
        Buffer source = from;
        Buffer target = Objects.requireNonNull(to);
        long count = call.count();
        boolean same = source != null && count > 0 && target.address() == source.address() + rank * count * bytes();
        if (count > LIMIT / size) {
            if (!same) {
                receive(call, call.peer(), 0, count, PART, comm);
            }
            if (source != null) {
                for (int r = 0; r < size; r++) {
                    if (!(same && r == rank)) {
                        send(call, r, r * count, count, PART, comm);
                    }
                }
            }
            return;
        }
        long handle = types.of(target.type());
        check(Issue.scatter(
                source == null ? 0 : source.address(),
                same ? inPlace : target.address(),
                (int) count,
                handle,
                call.peer(),
                comm,
                request(call)));
    }

    // ---- messages ----

    /** Returns the place of one more request, or the sign that this call blocks. */
    private long request(Call call) {
        return blocking ? Issue.BLOCKING : Objects.requireNonNull(requests).next(call);
    }

    private void send(Call call, int peer, long offset, long count, int tag, long on) {
        Buffer source = Objects.requireNonNull(from);
        long handle = types.of(source.type());
        // Parts of a collective operation go in all directions at once, so that none of them may block.
        boolean blocks = blocking && call.kind() == Call.Kind.SEND;
        long at = 0;
        do {
            int piece = piece(count, at);
            long address = source.address() + (offset + at) * bytes();
            long request =
                    blocks ? Issue.BLOCKING : Objects.requireNonNull(requests).next(call);
            check(Issue.send(address, piece, handle, peer, tag, on, request));
            at += piece;
        } while (at < count);
    }

    private void receive(Call call, int peer, long offset, long count, int tag, long on) {
        Buffer target = Objects.requireNonNull(to);
        Requests requests = Objects.requireNonNull(this.requests);
        long handle = types.of(target.type());
        boolean blocks = blocking && call.kind() == Call.Kind.RECV;
        long at = 0;
        do {
            int piece = piece(count, at);
            long address = target.address() + (offset + at) * bytes();
            if (blocks) {
                requests.received(
                        LibMpi.MPI_Recv(address, piece, handle, peer, tag, on, requests.status()), call, piece);
            } else {
                check(LibMpi.MPI_Irecv(address, piece, handle, peer, tag, on, requests.next(call, piece)));
            }
            at += piece;
        } while (at < count);
    }

    private int bytes() {
        return Objects.requireNonNull(Objects.requireNonNull(call).type()).bytes();
    }

    private void check(int code) {
        if (code != 0) {
            process.check(code, blocking ? call + Requests.UNFIT : String.valueOf(call));
        }
    }
}
