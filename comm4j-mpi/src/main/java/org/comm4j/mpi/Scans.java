// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.mpi.LibMpi;

/** Reductions over the ranks up to each one: {@code MPI_Iscan} and {@code MPI_Iexscan}. */
final class Scans {
    private final MpiCommunicator comm;
    private final MpiProcess process;
    private final Halves halves = new Halves();

    Scans(MpiCommunicator comm, MpiProcess process) {
        this.comm = comm;
        this.process = process;
    }

    void scan(String operation, Buffer send, Buffer recv, ReduceOp op, boolean exclusive) {
        Call call = comm.enter(operation);
        try {
            check(operation, call, send, recv, op);
            HostArray from = host(send);
            HostArray to = host(recv);
            DataType type = from.type();
            Wire wire = Wire.of(type, op, process.isRight(type, op));
            HostArray out = from;
            HostArray in = to;
            if (wire != Wire.PLAIN) {
                out = HostArray.allocate(wire.type(type), from.count());
                in = HostArray.allocate(wire.type(type), from.count());
                wire.encode(from, out, op, halves);
            }
            start(operation + "(" + from.count() + " x " + type + ", " + op + ")", out, in, op, exclusive);
            if (exclusive && comm.rank() == 0) {
                return; // Nobody is before it: what is there stays.
            }
            if (wire != Wire.PLAIN) {
                wire.decode(in, to, op, comm.size(), halves);
            }
            if (!(recv instanceof HostArray)) {
                recv.copyFrom(to);
            }
        } finally {
            comm.leave();
        }
    }

    private void start(String what, HostArray out, HostArray in, ReduceOp op, boolean exclusive) {
        long handle = process.types().of(out.type());
        long mpiOp = process.types().of(op);
        int bytes = out.type().bytes();
        boolean same = out.address() == in.address() && out.count() > 0;
        comm.holding()
                .during(
                        out,
                        in,
                        () -> comm.poll(what, List.of(out, in), requests -> {
                            long at = 0;
                            do {
                                int piece = (int) Math.min(Step.LIMIT, out.count() - at);
                                long from = same ? process.abi().get("IN_PLACE") : out.address() + at * bytes;
                                long to = in.address() + at * bytes;
                                long request = requests.next(what);
                                process.check(
                                        exclusive
                                                ? LibMpi.MPI_Iexscan(
                                                        from, to, piece, handle, mpiOp, comm.handle(), request)
                                                : LibMpi.MPI_Iscan(
                                                        from, to, piece, handle, mpiOp, comm.handle(), request),
                                        what);
                                at += piece;
                            } while (at < out.count());
                        }));
    }

    private static HostArray host(Buffer buffer) {
        return buffer instanceof HostArray array ? array : buffer.toHost();
    }

    /** The arguments are those of a reduction to all ranks. */
    private static void check(String operation, Call call, Buffer send, Buffer recv, ReduceOp op) {
        try {
            Call ignored = call.allReduce(send, recv, op);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()).replace("allReduce", operation), e);
        } catch (NullPointerException e) {
            NullPointerException told =
                    new NullPointerException(String.valueOf(e.getMessage()).replace("allReduce", operation));
            told.initCause(e);
            throw told;
        }
        if (op == ReduceOp.AVG) {
            throw new IllegalArgumentException(
                    operation + " with AVG: each rank's mean would be of another number of ranks; take SUM");
        }
    }
}
