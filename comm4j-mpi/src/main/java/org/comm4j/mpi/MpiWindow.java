// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * Memory of every rank that all ranks of a communicator reach: put, get, accumulate and atomics ({@code MPI_Win}). All
 * ranks' memory is open from the beginning ({@code MPI_Win_lock_all}), so that a program need not lock anything unless
 * it wants to keep others out.
 *
 * <p>Operations are non-blocking: the local buffer is in use, and the result is not there, until {@link #flush} or
 * {@link #flushAll}. {@link #fetchAndOp} and {@link #compareAndSwap} wait. Places are elements from the beginning of a
 * rank's part. Accesses to one place from several ranks are in no order, apart from the atomics and accumulations among
 * each other. MPI's windows know no limits: a rank that dies may keep others in MPI, until the launcher ends the job.
 */
public final class MpiWindow implements AutoCloseable {
    private final MpiCommunicator comm;
    private final MpiProcess process;
    private final long handle;
    private final HostArray local;
    private final long[] counts;
    private final boolean shared;
    private final MemorySegment cells = Arena.ofAuto().allocate(64, 8);
    private boolean closed;

    private MpiWindow(
            MpiCommunicator comm, MpiProcess process, long handle, HostArray local, long[] counts, boolean shared) {
        this.comm = comm;
        this.process = process;
        this.handle = handle;
        this.local = local;
        this.counts = counts;
        this.shared = shared;
    }

    /** Makes a window; all ranks have come, so that MPI's own call waits for nobody. */
    static MpiWindow of(MpiCommunicator comm, MpiProcess process, DataType type, long count, boolean shared) {
        String where =
                (shared ? "allocateShared" : "allocateWindow") + " on rank " + comm.rank() + " of " + comm.size();
        Arguments.nonNull(type, where, "type");
        long bytes = HostArray.bytes(type, count);
        long[] all = Groups.exchange(comm, where, type.ordinal(), count);
        long[] counts = new long[comm.size()];
        for (int r = 0; r < counts.length; r++) {
            if (all[2 * r] != type.ordinal()) {
                throw new IllegalArgumentException(
                        where + ": " + type + " here, but " + DataType.values()[(int) all[2 * r]] + " on rank " + r);
            }
            counts[r] = all[2 * r + 1];
        }
        // Compare-and-swap to oneself crashes in Open MPI 4.1 unless the window is shared memory, which is quicker,
        // too.
        boolean near = shared || process.areOnOneHost(comm.handle(), comm.size());
        Abi abi = process.abi();
        MpiWindow made;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(16, 8);
            process.lock();
            try {
                long info = abi.get("INFO_NULL");
                int unit = type.bytes();
                process.check(
                        near
                                ? LibMpi.MPI_Win_allocate_shared(
                                        bytes, unit, info, comm.handle(), cells.address(), cells.address() + 8)
                                : LibMpi.MPI_Win_allocate(
                                        bytes, unit, info, comm.handle(), cells.address(), cells.address() + 8),
                        where);
                long handle = cells.get(ValueLayout.JAVA_LONG, 8);
                process.check(
                        LibMpi.MPI_Win_set_errhandler(handle, abi.get("ERRORS_RETURN")), "MPI_Win_set_errhandler");
                process.check(LibMpi.MPI_Win_lock_all(0, handle), "MPI_Win_lock_all");
                HostArray local = HostArray.wrap(memory(cells.get(ValueLayout.JAVA_LONG, 0), bytes), type);
                local.segment().fill((byte) 0);
                MpiWindow window = new MpiWindow(comm, process, handle, local, counts, shared);
                process.check(LibMpi.MPI_Win_sync(handle), "MPI_Win_sync");
                made = window;
            } finally {
                process.unlock();
            }
        }
        // Nobody writes before all is zeroed.
        Groups.exchange(comm, where, 0);
        return made;
    }

    private static MemorySegment memory(long address, long bytes) {
        return bytes == 0 ? MemorySegment.NULL.asSlice(0, 0) : NativeMemory.at(address, bytes);
    }

    /** Returns this rank's part. */
    public HostArray local() {
        check("local", comm.rank(), 0, 0);
        return local;
    }

    /** Returns how many elements a rank's part has. */
    public long count(int rank) {
        return counts[Objects.checkIndex(rank, counts.length)];
    }

    /**
     * Returns another rank's part as memory of this process ({@code MPI_Win_shared_query}); it ends with the window.
     *
     * @throws UnsupportedOperationException if the window was not made by {@link MpiCommunicator#allocateShared}
     */
    public HostArray of(int rank) {
        check("of", rank, 0, 0);
        if (!shared) {
            throw new UnsupportedOperationException(
                    what("of", rank) + ": this window is not shared memory; take allocateShared on splitByHost()");
        }
        process.lock();
        try {
            long at = cells.address();
            process.check(LibMpi.MPI_Win_shared_query(handle, rank, at, at + 16, at + 8), "MPI_Win_shared_query");
            long address = cells.get(ValueLayout.JAVA_LONG, 8);
            return HostArray.wrap(memory(address, counts[rank] * local.type().bytes()), local.type());
        } finally {
            process.unlock();
        }
    }

    // ---- moves

    /** Writes {@code from} to the part of {@code rank} from element {@code at} on ({@code MPI_Put}). */
    public void put(HostArray from, int rank, long at) {
        checkBuffer("put", from, rank, at);
        pieces(
                from,
                rank,
                at,
                (address, count, place) -> LibMpi.MPI_Put(address, count, type(), rank, place, count, type(), handle));
    }

    /** Reads {@code to} from the part of {@code rank} from element {@code at} on ({@code MPI_Get}). */
    public void get(HostArray to, int rank, long at) {
        checkBuffer("get", to, rank, at);
        pieces(
                to,
                rank,
                at,
                (address, count, place) -> LibMpi.MPI_Get(address, count, type(), rank, place, count, type(), handle));
    }

    /**
     * Combines the part of {@code rank} with {@code from}, element by element and atomically for each ({@code
     * MPI_Accumulate}).
     *
     * @param op not AVG; of floating-point numbers NaN is the library's business
     */
    public void accumulate(HostArray from, ReduceOp op, int rank, long at) {
        checkBuffer("accumulate", from, rank, at);
        long mpiOp = op("accumulate", op, rank);
        pieces(
                from,
                rank,
                at,
                (address, count, place) ->
                        LibMpi.MPI_Accumulate(address, count, type(), rank, place, count, type(), mpiOp, handle));
    }

    // ---- atomics

    /**
     * Combines one integer of the part of {@code rank} with {@code value} ({@code MPI_Fetch_and_op}); waits.
     *
     * @param op not AVG
     * @return what was there before
     */
    public long fetchAndOp(long value, ReduceOp op, int rank, long at) {
        checkInteger("fetchAndOp", rank, at);
        return fetch(value, op("fetchAndOp", op, rank), rank, at);
    }

    /** Returns one integer of the part of {@code rank} and replaces it by {@code value}, atomically; waits. */
    public long swap(long value, int rank, long at) {
        checkInteger("swap", rank, at);
        return fetch(value, process.abi().get("REPLACE"), rank, at);
    }

    /** Returns one integer of the part of {@code rank}, read atomically ({@code MPI_NO_OP}); waits. */
    public long fetch(int rank, long at) {
        checkInteger("fetch", rank, at);
        return fetch(0, process.abi().get("NO_OP"), rank, at);
    }

    private synchronized long fetch(long value, long op, int rank, long at) {
        HostArray word = HostArray.wrap(cells.asSlice(0, local.type().bytes()), local.type());
        HostArray result = HostArray.wrap(cells.asSlice(16, local.type().bytes()), local.type());
        word.setLong(0, value);
        call(
                "fetchAndOp",
                rank,
                () -> LibMpi.MPI_Fetch_and_op(word.address(), result.address(), type(), rank, at, op, handle));
        flush(rank);
        return result.getLong(0);
    }

    /**
     * Replaces one integer of the part of {@code rank} by {@code value} if it is {@code expected} ({@code
     * MPI_Compare_and_swap}); waits.
     *
     * @return what was there before
     */
    public synchronized long compareAndSwap(long expected, long value, int rank, long at) {
        checkInteger("compareAndSwap", rank, at);
        int bytes = local.type().bytes();
        HostArray word = HostArray.wrap(cells.asSlice(0, bytes), local.type());
        HostArray result = HostArray.wrap(cells.asSlice(16, bytes), local.type());
        HostArray wanted = HostArray.wrap(cells.asSlice(32, bytes), local.type());
        word.setLong(0, value);
        wanted.setLong(0, expected);
        call(
                "compareAndSwap",
                rank,
                () -> LibMpi.MPI_Compare_and_swap(
                        word.address(), wanted.address(), result.address(), type(), rank, at, handle));
        flush(rank);
        return result.getLong(0);
    }

    // ---- order

    /** Waits until everything that this rank has started to {@code rank} is done there ({@code MPI_Win_flush}). */
    public void flush(int rank) {
        check("flush", rank, 0, 0);
        call("flush", rank, () -> LibMpi.MPI_Win_flush(rank, handle));
    }

    /** Waits until everything that this rank has started is done ({@code MPI_Win_flush_all}). */
    public void flushAll() {
        check("flushAll", 0, 0, 0);
        call("flushAll", comm.rank(), () -> LibMpi.MPI_Win_flush_all(handle));
    }

    /** Makes this rank's own loads and stores and those of others known to each other ({@code MPI_Win_sync}). */
    public void sync() {
        check("sync", 0, 0, 0);
        call("sync", comm.rank(), () -> LibMpi.MPI_Win_sync(handle));
    }

    /**
     * Ends all accesses with a barrier: what any rank has put is there for all ({@code MPI_Win_flush_all}, {@code
     * MPI_Win_sync}, barrier).
     */
    public void fence() {
        flushAll();
        sync();
        comm.barrier();
        sync();
    }

    /**
     * Collective: gives the memory back, once all ranks are here. A communicator that is out of step, or MPI's end,
     * leaves it as it is.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (process.hasEnded() || comm.isOutOfStep()) {
            closed = true;
            return;
        }
        closed = true;
        Call ignored = comm.enter("close of a window");
        try {
            // A rank that is elsewhere, in the wake of an exception, does not come: this wait ends, MPI's would not.
            Groups.exchange(comm, "close of " + this, 0);
            free();
        } finally {
            comm.leave();
        }
    }

    private void free() {
        process.lock();
        try (Arena arena = Arena.ofConfined()) {
            process.check(LibMpi.MPI_Win_unlock_all(handle), "MPI_Win_unlock_all");
            MemorySegment cell = arena.allocateFrom(ValueLayout.JAVA_LONG, handle);
            process.check(LibMpi.MPI_Win_free(cell.address()), "MPI_Win_free");
        } finally {
            process.unlock();
        }
    }

    // ---- inside

    private interface Piece {
        int start(long address, int count, long place);
    }

    private interface Start {
        int run();
    }

    private void pieces(HostArray array, int rank, long at, Piece piece) {
        for (long done = 0; done < array.count(); done += Step.LIMIT) {
            long from = done;
            int count = (int) Math.min(Step.LIMIT, array.count() - done);
            call(
                    "transfer",
                    rank,
                    () -> piece.start(array.address() + from * array.type().bytes(), count, at + from));
        }
    }

    private void call(String operation, int rank, Start start) {
        process.lock();
        try {
            int code = start.run();
            if (code != 0) {
                process.check(code, what(operation, rank));
            }
        } finally {
            process.unlock();
        }
    }

    private long type() {
        return process.types().of(local.type());
    }

    private long op(String operation, @Nullable ReduceOp op, int rank) {
        ReduceOp known = Arguments.nonNull(op, what(operation, rank), "op");
        DataType type = local.type();
        if (known == ReduceOp.AVG || !known.supports(type)) {
            throw new IllegalArgumentException(what(operation, rank) + ": there is no " + known + " of " + type
                    + (known == ReduceOp.AVG ? " at one place" : ""));
        }
        if (type.isFloat() && type.bytes() < Float.BYTES || !process.isRight(type, known)) {
            throw new UnsupportedOperationException(
                    what(operation, rank) + ": the library has no " + known + " of " + type + " as comm4j means it");
        }
        return process.types().of(known);
    }

    private String what(String operation, int rank) {
        return operation + "(rank " + rank + ") on rank " + comm.rank() + " of " + comm.size() + " of " + this;
    }

    private void checkInteger(String operation, int rank, long at) {
        check(operation, rank, at, 1);
        if (!local.type().isInteger()) {
            throw new IllegalArgumentException(what(operation, rank) + ": atomics are for integers");
        }
    }

    private void checkBuffer(String operation, @Nullable HostArray buffer, int rank, long at) {
        HostArray known = Arguments.nonNull(buffer, what(operation, rank), "buffer");
        check(operation, rank, at, known.count());
        if (known.type() != local.type() || !known.isAlive()) {
            throw new IllegalArgumentException(
                    what(operation, rank) + ": " + known + (known.isAlive() ? " is not of its type" : " was freed"));
        }
    }

    private void check(String operation, int rank, long at, long count) {
        if (closed || process.hasEnded()) {
            throw new IllegalStateException(what(operation, rank) + ": it is closed");
        }
        if (rank < 0 || rank >= counts.length) {
            throw new IllegalArgumentException(what(operation, rank) + ": there are ranks 0 to " + (counts.length - 1));
        }
        if (at < 0 || count > counts[rank] - at) {
            throw new IndexOutOfBoundsException(what(operation, rank) + ": elements " + at + " to " + (at + count)
                    + " are not in its " + counts[rank]);
        }
    }

    @Override
    public String toString() {
        return "MpiWindow[" + local.count() + " x " + local.type() + (shared ? ", shared" : "") + "]";
    }
}
