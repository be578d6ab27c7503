// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way: what it asks of MPI, and what is done with the memory before and after. Memory that is not the
 * host's goes through copies. MPI counts by ints, so that what has more elements is cut into pieces, or goes by
 * messages.
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
    private final long comm;
    /** Of messages, which have an MPI communicator of their own if they have tags. */
    private final long messages;

    private final int tag;
    private final int rank;
    private final int size;
    private final long inPlace;

    private @Nullable Call call;
    private @Nullable HostArray from;
    private @Nullable HostArray to;
    private Wire wire = Wire.PLAIN;
    private @Nullable HostArray encoded;
    private @Nullable HostArray result;
    private boolean usesResult;
    private @Nullable MemorySegment ints;

    Step(MpiProcess process, MpiTypes types, long comm, int rank, int size) {
        this(process, types, comm, rank, size, comm, MESSAGE);
    }

    /** @param tag of the messages, on {@code messages} */
    Step(MpiProcess process, MpiTypes types, long comm, int rank, int size, long messages, int tag) {
        this.messages = messages;
        this.tag = tag;
        this.process = process;
        this.types = types;
        this.comm = comm;
        this.rank = rank;
        this.size = size;
        this.inPlace = process.abi().get("IN_PLACE");
    }

    /** Starts everything that the call needs. */
    void start(Call call, Requests requests) {
        this.call = call;
        from = host(call.send());
        to = host(call.recv());
        ReduceOp op = call.op();
        DataType type = call.type();
        wire = op == null || type == null ? Wire.PLAIN : Wire.of(type, op, types.isRight(type.ordinal(), op.ordinal()));
        switch (call.kind()) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> reduction(call, requests);
            case BROADCAST -> broadcast(call, requests);
            case ALL_GATHER -> allGather(call, requests);
            case ALL_GATHER_V -> allGatherV(call, requests);
            case ALL_TO_ALL -> allToAll(call, requests);
            case ALL_TO_ALL_V -> {
                for (int r = 0; r < size; r++) {
                    receive(call, requests, r, call.recvOffsets()[r], call.recvCounts()[r], PART, comm);
                }
                for (int r = 0; r < size; r++) {
                    send(call, requests, r, call.sendOffsets()[r], call.sendCounts()[r], PART, comm);
                }
            }
            case GATHER -> gather(call, requests);
            case SCATTER -> scatter(call, requests);
            case SEND -> send(call, requests, call.peer(), 0, call.count(), tag, messages);
            case RECV -> receive(call, requests, call.peer(), 0, call.count(), tag, messages);
            case BARRIER -> check(LibMpi.MPI_Ibarrier(comm, requests.next(call)));
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

    /** Lets go of a message that fits nowhere. */
    void forget() {
        clear();
    }

    /** Brings what has come to where it belongs, after all has ended. */
    void finish() {
        Call call = Objects.requireNonNull(this.call);
        HostArray into = to;
        ReduceOp op = call.op();
        if (into != null && op != null) {
            if (wire != Wire.PLAIN) {
                wire.decode(Objects.requireNonNull(result), into, op, size);
            } else {
                if (usesResult) {
                    into.copyFrom(Objects.requireNonNull(result));
                }
                if (op == ReduceOp.AVG) {
                    divide(into, size);
                }
            }
        }
        if (call.kind() == Call.Kind.BROADCAST && from != null && into != null && from.address() != into.address()) {
            into.copyFrom(from);
        }
        Buffer target = call.recv();
        if (into != null && target != null && !(target instanceof HostArray)) {
            target.copyFrom(into);
        }
        clear();
    }

    private void clear() {
        call = null;
        from = to = null;
        usesResult = false;
    }

    /** Memory of the last call where it fits, so that calls of one size allocate nothing. */
    private static HostArray scratch(@Nullable HostArray last, DataType type, long count) {
        return last != null && last.type() == type && last.count() == count ? last : HostArray.allocate(type, count);
    }

    private @Nullable HostArray host(@Nullable Buffer buffer) {
        if (buffer != null && !buffer.isAlive()) {
            throw new CommException(call + " on rank " + rank + " of " + size + ": the memory of " + buffer
                    + " was freed after the call was made; close this communicator");
        }
        return buffer == null || buffer instanceof HostArray ? (HostArray) buffer : buffer.toHost();
    }

    private static void divide(HostArray array, int ranks) {
        DataType type = array.type();
        long count = array.count();
        for (long i = 0; i < count; i++) {
            if (type.isComplex()) {
                array.setComplex(i, array.getReal(i) / ranks, array.getImaginary(i) / ranks);
            } else if (type == DataType.FLOAT32) {
                array.setFloat(i, array.getFloat(i) / ranks);
            } else if (type.isFloat()) {
                array.setDouble(i, array.getDouble(i) / ranks);
            } else if (type == DataType.UINT64) {
                array.setLong(i, Long.divideUnsigned(array.getLong(i), ranks));
            } else {
                array.setLong(i, array.getLong(i) / ranks);
            }
        }
    }

    // ---- reductions ----

    private void reduction(Call call, Requests requests) {
        HostArray source = Objects.requireNonNull(from);
        HostArray target = to;
        ReduceOp op = Objects.requireNonNull(call.op());
        DataType type = wire.type(source.type());
        if (wire != Wire.PLAIN) {
            encoded = scratch(encoded, type, source.count());
            wire.encode(source, encoded, op);
            source = encoded;
        }
        boolean scattered = call.kind() == Call.Kind.REDUCE_SCATTER;
        if (target != null && (wire != Wire.PLAIN || scattered && isWithin(target, source))) {
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
            check(LibMpi.MPI_Ireduce_scatter_block(send, recv, (int) count, handle, mpiOp, comm, requests.next(call)));
            return;
        }
        if (scattered) {
            for (int r = 0; r < size; r++) {
                reduce(call, requests, send + r * count * bytes, recv, count, handle, bytes, mpiOp, r);
            }
            return;
        }
        if (call.kind() == Call.Kind.REDUCE) {
            reduce(call, requests, send, recv, count, handle, bytes, mpiOp, call.peer());
            return;
        }
        boolean same = send == recv && count > 0;
        long at = 0;
        do {
            int piece = piece(count, at);
            check(LibMpi.MPI_Iallreduce(
                    same ? inPlace : send + at * bytes,
                    recv + at * bytes,
                    piece,
                    handle,
                    mpiOp,
                    comm,
                    requests.next(call)));
            at += piece;
        } while (at < count);
    }

    private void reduce(
            Call call,
            Requests requests,
            long send,
            long recv,
            long count,
            long handle,
            int bytes,
            long mpiOp,
            int root) {
        boolean same = root == rank && send == recv && count > 0;
        long at = 0;
        do {
            int piece = piece(count, at);
            check(LibMpi.MPI_Ireduce(
                    same ? inPlace : send + at * bytes,
                    root == rank ? recv + at * bytes : 0,
                    piece,
                    handle,
                    mpiOp,
                    root,
                    comm,
                    requests.next(call)));
            at += piece;
        } while (at < count);
    }

    private static boolean isWithin(HostArray part, HostArray whole) {
        return part.address() >= whole.address() && part.address() < whole.address() + whole.byteSize();
    }

    private static int piece(long count, long at) {
        return (int) Math.min(LIMIT, count - at);
    }

    // ---- moves ----

    private void broadcast(Call call, Requests requests) {
        HostArray array = Objects.requireNonNull(from != null ? from : to);
        long handle = types.of(array.type());
        long at = 0;
        do {
            int piece = piece(array.count(), at);
            check(LibMpi.MPI_Ibcast(
                    array.address() + at * array.type().bytes(),
                    piece,
                    handle,
                    call.peer(),
                    comm,
                    requests.next(call)));
            at += piece;
        } while (at < array.count());
    }

    private void allGather(Call call, Requests requests) {
        HostArray source = Objects.requireNonNull(from);
        HostArray target = Objects.requireNonNull(to);
        long count = call.count();
        if (count > LIMIT / size) {
            for (int r = 0; r < size; r++) {
                gatherFrom(call, requests, r, r * count, count);
            }
            return;
        }
        long handle = types.of(source.type());
        boolean same = count > 0 && source.address() == target.address() + rank * count * bytes();
        check(LibMpi.MPI_Iallgather(
                same ? inPlace : source.address(),
                (int) count,
                handle,
                target.address(),
                (int) count,
                handle,
                comm,
                requests.next(call)));
    }

    private void allGatherV(Call call, Requests requests) {
        HostArray source = Objects.requireNonNull(from);
        HostArray target = Objects.requireNonNull(to);
        long[] counts = call.recvCounts();
        long[] offsets = call.recvOffsets();
        long most = 0;
        for (int r = 0; r < size; r++) {
            most = Math.max(most, offsets[r] + counts[r]);
        }
        if (most > LIMIT) {
            for (int r = 0; r < size; r++) {
                gatherFrom(call, requests, r, offsets[r], counts[r]);
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
        check(LibMpi.MPI_Iallgatherv(
                same ? inPlace : source.address(),
                (int) source.count(),
                handle,
                target.address(),
                numbers.address(),
                numbers.address() + 4L * size,
                handle,
                comm,
                requests.next(call)));
    }

    /** One rank's part by messages: this rank's goes to that rank, and the other way round. */
    private void gatherFrom(Call call, Requests requests, int r, long offset, long count) {
        HostArray source = Objects.requireNonNull(from);
        HostArray target = Objects.requireNonNull(to);
        if (r == rank && source.address() == target.address() + offset * bytes()) {
            return;
        }
        receive(call, requests, r, offset, count, PART, comm);
        send(call, requests, r, 0, source.count(), PART, comm);
    }

    private void allToAll(Call call, Requests requests) {
        HostArray source = Objects.requireNonNull(from);
        HostArray target = Objects.requireNonNull(to);
        long count = call.count();
        if (count > LIMIT / size) {
            for (int r = 0; r < size; r++) {
                receive(call, requests, r, r * count, count, PART, comm);
                send(call, requests, r, r * count, count, PART, comm);
            }
            return;
        }
        long handle = types.of(source.type());
        check(LibMpi.MPI_Ialltoall(
                source.address(),
                (int) count,
                handle,
                target.address(),
                (int) count,
                handle,
                comm,
                requests.next(call)));
    }

    private void gather(Call call, Requests requests) {
        HostArray source = Objects.requireNonNull(from);
        HostArray target = to;
        long count = call.count();
        boolean same = target != null && count > 0 && source.address() == target.address() + rank * count * bytes();
        if (count > LIMIT / size) {
            if (target != null) {
                for (int r = 0; r < size; r++) {
                    if (!(same && r == rank)) {
                        receive(call, requests, r, r * count, count, PART, comm);
                    }
                }
            }
            if (!same) {
                send(call, requests, call.peer(), 0, count, PART, comm);
            }
            return;
        }
        long handle = types.of(source.type());
        check(LibMpi.MPI_Igather(
                same ? inPlace : source.address(),
                (int) count,
                handle,
                target == null ? 0 : target.address(),
                (int) count,
                handle,
                call.peer(),
                comm,
                requests.next(call)));
    }

    private void scatter(Call call, Requests requests) {
        HostArray source = from;
        HostArray target = Objects.requireNonNull(to);
        long count = call.count();
        boolean same = source != null && count > 0 && target.address() == source.address() + rank * count * bytes();
        if (count > LIMIT / size) {
            if (!same) {
                receive(call, requests, call.peer(), 0, count, PART, comm);
            }
            if (source != null) {
                for (int r = 0; r < size; r++) {
                    if (!(same && r == rank)) {
                        send(call, requests, r, r * count, count, PART, comm);
                    }
                }
            }
            return;
        }
        long handle = types.of(target.type());
        check(LibMpi.MPI_Iscatter(
                source == null ? 0 : source.address(),
                (int) count,
                handle,
                same ? inPlace : target.address(),
                (int) count,
                handle,
                call.peer(),
                comm,
                requests.next(call)));
    }

    // ---- messages ----

    private void send(Call call, Requests requests, int peer, long offset, long count, int tag, long on) {
        HostArray source = Objects.requireNonNull(from);
        long handle = types.of(source.type());
        long at = 0;
        do {
            int piece = piece(count, at);
            long address = source.address() + (offset + at) * bytes();
            check(LibMpi.MPI_Isend(address, piece, handle, peer, tag, on, requests.next(call)));
            at += piece;
        } while (at < count);
    }

    private void receive(Call call, Requests requests, int peer, long offset, long count, int tag, long on) {
        HostArray target = Objects.requireNonNull(to);
        long handle = types.of(target.type());
        long at = 0;
        do {
            int piece = piece(count, at);
            long address = target.address() + (offset + at) * bytes();
            check(LibMpi.MPI_Irecv(address, piece, handle, peer, tag, on, requests.next(call, piece)));
            at += piece;
        } while (at < count);
    }

    private int bytes() {
        return Objects.requireNonNull(Objects.requireNonNull(call).type()).bytes();
    }

    private void check(int code) {
        if (code != 0) {
            process.check(code, String.valueOf(call));
        }
    }
}
