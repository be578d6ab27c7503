// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.Objects;
import java.util.function.LongToIntFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;
import org.jspecify.annotations.Nullable;

/** Preparation of operations of one communicator: which ones MPI can keep as they are. */
final class Preparing {
    private final MpiCommunicator comm;
    private final MpiProcess process;

    Preparing(MpiCommunicator comm, MpiProcess process) {
        this.comm = comm;
        this.process = process;
    }

    Prepared barrier() {
        Call call = call().barrier();
        long info = process.abi().get("INFO_NULL");
        return prepared(
                "prepareBarrier",
                call,
                -1,
                LibMpi.has("MPI_Barrier_init"),
                request -> LibMpi.MPI_Barrier_init(comm.handle(), info, request));
    }

    Prepared broadcast(Buffer buffer, int root) {
        Call call = call().broadcast(buffer, buffer, root);
        long info = process.abi().get("INFO_NULL");
        boolean plain = isPlain(buffer) && LibMpi.has("MPI_Bcast_init");
        return prepared(
                "prepareBroadcast",
                call,
                -1,
                plain,
                request -> LibMpi.MPI_Bcast_init(
                        buffer.address(), (int) buffer.count(), type(buffer), root, comm.handle(), info, request));
    }

    Prepared allReduce(Buffer send, Buffer recv, ReduceOp op) {
        Call call = call().allReduce(send, recv, op);
        DataType type = send.type();
        boolean right = process.isRight(type, op);
        boolean plain = isPlain(send)
                && isPlain(recv)
                && op != ReduceOp.AVG
                && Wire.of(type, op, right) == Wire.PLAIN
                && LibMpi.has("MPI_Allreduce_init");
        long info = process.abi().get("INFO_NULL");
        long from = send.address() == recv.address() && send.count() > 0
                ? process.abi().get("IN_PLACE")
                : send.address();
        return prepared(
                "prepareAllReduce",
                call,
                -1,
                plain,
                request -> LibMpi.MPI_Allreduce_init(
                        from,
                        recv.address(),
                        (int) send.count(),
                        type(send),
                        process.types().of(op),
                        comm.handle(),
                        info,
                        request));
    }

    Prepared send(Buffer buffer, int peer, int tag) {
        Call call = call().send(buffer, peer);
        Tags.checkCount("prepareSend on rank " + comm.rank() + " of " + comm.size(), buffer);
        return prepared(
                "prepareSend",
                call,
                tag,
                isPlain(buffer),
                request -> LibMpi.MPI_Send_init(
                        buffer.address(), (int) buffer.count(), type(buffer), peer, tag, comm.tagged(), request));
    }

    Prepared receive(Buffer buffer, int peer, int tag) {
        Call call = call().recv(buffer, peer);
        Tags.checkCount("prepareReceive on rank " + comm.rank() + " of " + comm.size(), buffer);
        return prepared(
                "prepareReceive",
                call,
                tag,
                isPlain(buffer),
                request -> LibMpi.MPI_Recv_init(
                        buffer.address(), (int) buffer.count(), type(buffer), peer, tag, comm.tagged(), request));
    }

    private Call call() {
        return new Call(comm.rank(), comm.size());
    }

    private long type(Buffer buffer) {
        return process.types().of(buffer.type());
    }

    /** Returns whether MPI gets the buffer as it is, in one piece. */
    private static boolean isPlain(@Nullable Buffer buffer) {
        return buffer instanceof HostArray array && array.count() <= Step.LIMIT;
    }

    /** @param tag of a message; −1 for a collective operation */
    private Prepared prepared(String operation, Call call, int tag, boolean persistent, LongToIntFunction init) {
        if (tag < -1 || call.kind().isPointToPoint() && tag < 0) {
            throw new IllegalArgumentException(
                    operation + " on rank " + comm.rank() + " of " + comm.size() + ": tag " + tag + " is below 0");
        }
        Call ignored = Objects.requireNonNull(comm.enter(operation));
        try {
            return new Prepared(
                    comm, process, call, tag < 0 ? comm.newStep() : comm.step(tag), persistent ? init : null);
        } finally {
            comm.leave();
        }
    }
}
