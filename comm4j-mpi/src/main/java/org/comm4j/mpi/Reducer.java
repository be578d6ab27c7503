// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Arguments;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.Callbacks;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/**
 * One reduction of records by a Java method: the type and the operation in MPI, which exist as long as the call. What
 * the method throws stays on this side of MPI, and fails the call on all ranks.
 */
final class Reducer implements AutoCloseable {
    /** Failure of the method on this rank; the first one counts. */
    private @Nullable Throwable failure;

    private final MpiProcess process;
    private final RecordReduction reduction;
    private final long recordBytes;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment cells = arena.allocate(16, 8);

    Reducer(MpiProcess process, RecordReduction reduction, long recordBytes) {
        this.process = process;
        this.reduction = reduction;
        this.recordBytes = recordBytes;
        long handle = process.abi().get("BYTE");
        process.lock();
        try {
            process.check(
                    LibMpi.MPI_Type_contiguous(Math.toIntExact(recordBytes), handle, cells.address()),
                    "MPI_Type_contiguous");
            process.check(LibMpi.MPI_Type_commit(cells.address()), "MPI_Type_commit");
            MemorySegment function = Callbacks.pointerTo(this::combine, arena);
            process.check(LibMpi.MPI_Op_create(function.address(), 0, cells.address() + 8), "MPI_Op_create");
        } finally {
            process.unlock();
        }
    }

    private void combine(long lower, long into, long length, long type) {
        if (failure != null) {
            return;
        }
        try {
            int count = NativeMemory.at(length, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
            MemorySegment from = NativeMemory.at(lower, count * recordBytes).asReadOnly();
            MemorySegment to = NativeMemory.at(into, count * recordBytes);
            for (int i = 0; i < count; i++) {
                reduction.combine(from.asSlice(i * recordBytes, recordBytes), to.asSlice(i * recordBytes, recordBytes));
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** @param root −1 for a reduction to all ranks */
    static void run(
            MpiCommunicator comm,
            MpiProcess process,
            String operation,
            Records send,
            @Nullable Records recv,
            RecordReduction reduction,
            int root) {
        String where = operation + " on rank " + comm.rank() + " of " + comm.size();
        Arguments.nonNull(send, where, "send");
        Arguments.nonNull(reduction, where, "reduction");
        boolean receives = root < 0 || root == comm.rank();
        Records into = receives ? Arguments.nonNull(recv, where, "recv") : send;
        if (root >= comm.size()) {
            throw new IllegalArgumentException(where + ": root " + root + " is not a rank");
        }
        if (into.count() != send.count()
                || into.layout().byteSize() != send.layout().byteSize()) {
            throw new IllegalArgumentException(where + ": send has " + send + " but recv has " + into);
        }
        if (send.count() > Step.LIMIT) {
            throw new IllegalArgumentException(
                    where + ": " + send + " are more than the " + Step.LIMIT + " of one call; reduce them in parts");
        }
        Call call = new Call(comm.rank(), comm.size()).allReduce(send.bytes(), into.bytes(), ReduceOp.BOR);
        Call ignored = comm.enter(operation);
        try {
            Reducer reducer = new Reducer(process, reduction, send.layout().byteSize());
            String what = operation + "(" + send + ")";
            comm.holding()
                    .during(
                            send.bytes(),
                            into.bytes(),
                            () -> comm.poll(what, List.of(send, into, reducer, call), requests -> {
                                long from = send.bytes().address();
                                long to = into.bytes().address();
                                long in = receives && from == to && send.count() > 0
                                        ? process.abi().get("IN_PLACE")
                                        : from;
                                int count = (int) send.count();
                                long type = reducer.cells.get(ValueLayout.JAVA_LONG, 0);
                                long op = reducer.cells.get(ValueLayout.JAVA_LONG, 8);
                                long request = requests.next(what);
                                process.check(
                                        root < 0
                                                ? LibMpi.MPI_Iallreduce(in, to, count, type, op, comm.handle(), request)
                                                : LibMpi.MPI_Ireduce(
                                                        in,
                                                        receives ? to : 0,
                                                        count,
                                                        type,
                                                        op,
                                                        root,
                                                        comm.handle(),
                                                        request),
                                        what);
                            }));
            Throwable mine = reducer.failure;
            long[] failed = Groups.exchange(comm, what, mine == null ? 0 : 1);
            reducer.close();
            for (int r = 0; r < failed.length; r++) {
                if (mine != null) {
                    throw new CommException(where + ": the reduction threw " + mine, mine);
                }
                if (failed[r] != 0) {
                    throw new CommException(where + ": the reduction threw on rank " + r + "; the result is void");
                }
            }
        } finally {
            comm.leave();
        }
    }

    @Override
    public void close() {
        process.lock();
        try {
            process.check(LibMpi.MPI_Op_free(cells.address() + 8), "MPI_Op_free");
            process.check(LibMpi.MPI_Type_free(cells.address()), "MPI_Type_free");
        } finally {
            process.unlock();
        }
        arena.close();
    }
}
