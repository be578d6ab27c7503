// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.spi.Call;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * From a checked {@link Call} to NCCL's functions. What NCCL has no function for is a group of several: parts of
 * different sizes are broadcasts, or sends and receives, that read and write the caller's buffers.
 */
final class Submission {
    private final NcclComm comm;
    private final int rank;
    private final int size;
    private final long barrierCell;

    // NCCL has these since 2.28.
    private final boolean hasAllToAll = LibNccl.has("ncclAlltoAll");
    private final boolean hasGather;
    private final boolean hasScatter;

    /**
     * @param barrierCell the address of four bytes of device memory
     * @param copyEngines whether NCCL may move data by copy engines. A gather then waits for ever if the root's buffer
     *     is in a symmetric window and the others, who need none, named none (seen with NCCL 2.28.9); messages do not
     */
    Submission(NcclComm comm, int rank, int size, long barrierCell, boolean copyEngines) {
        this.hasGather = !copyEngines && LibNccl.has("ncclGather");
        this.hasScatter = !copyEngines && LibNccl.has("ncclScatter");
        this.comm = comm;
        this.rank = rank;
        this.size = size;
        this.barrierCell = barrierCell;
    }

    /** Enqueues {@code call}, with its own reduction. */
    void enqueue(Call call, CUstream stream) {
        enqueue(call, call.op() == null ? 0 : Types.of(call.op(), size), stream);
    }

    /** Enqueues {@code call}, with {@code op} (an {@code ncclRedOp_t}) for its reduction. */
    void enqueue(Call call, int op, CUstream stream) {
        DataType elements = call.type();
        if (elements == null) {
            // A barrier: nobody has the sum before all have come.
            LibNccl.ncclAllReduce(barrierCell, barrierCell, 1, LibNccl.ncclInt32, LibNccl.ncclSum, comm, stream);
            return;
        }
        int type = Types.of(elements);
        long count = call.count() * Types.units(elements);
        long send = call.sendAddress();
        long recv = call.recvAddress();
        int peer = call.peer();
        switch (call.kind()) {
            case ALL_REDUCE -> LibNccl.ncclAllReduce(send, recv, count, type, op, comm, stream);
            case REDUCE -> LibNccl.ncclReduce(send, recv, count, type, op, peer, comm, stream);
            case BROADCAST -> LibNccl.ncclBroadcast(call.isRoot() ? send : recv, recv, count, type, peer, comm, stream);
            case ALL_GATHER -> LibNccl.ncclAllGather(send, recv, count, type, comm, stream);
            case REDUCE_SCATTER -> LibNccl.ncclReduceScatter(send, recv, count, type, op, comm, stream);
            case SEND -> LibNccl.ncclSend(send, count, type, peer, comm, stream);
            case RECV -> LibNccl.ncclRecv(recv, count, type, peer, comm, stream);
            case ALL_TO_ALL -> {
                if (hasAllToAll) {
                    LibNccl.ncclAlltoAll(send, recv, count, type, comm, stream);
                } else {
                    grouped(call, type, stream);
                }
            }
            case GATHER -> {
                if (hasGather) {
                    LibNccl.ncclGather(send, recv, count, type, peer, comm, stream);
                } else {
                    grouped(call, type, stream);
                }
            }
            case SCATTER -> {
                if (hasScatter) {
                    LibNccl.ncclScatter(send, recv, count, type, peer, comm, stream);
                } else {
                    grouped(call, type, stream);
                }
            }
            case ALL_GATHER_V, ALL_TO_ALL_V -> grouped(call, type, stream);
            case BARRIER, SPLIT -> throw new IllegalArgumentException(call.toString());
        }
    }

    private void grouped(Call call, int type, CUstream stream) {
        LibNccl.ncclGroupStart();
        try {
            parts(call, type, stream);
        } catch (Throwable e) {
            endAfter(e);
            throw e;
        }
        LibNccl.ncclGroupEnd();
    }

    /** Makes calls in a group of their own. What is called often does the same without an object for it. */
    static void asOne(Runnable calls) {
        LibNccl.ncclGroupStart();
        try {
            calls.run();
        } catch (Throwable e) {
            endAfter(e);
            throw e;
        }
        LibNccl.ncclGroupEnd();
    }

    /** Ends a group in which a call failed; NCCL then starts none of its calls. */
    static void endAfter(Throwable e) {
        try {
            LibNccl.ncclGroupEnd();
        } catch (NativeCallException again) {
            // It says the same.
            if (again.status() != (e instanceof NativeCallException first ? first.status() : 0)) {
                e.addSuppressed(again);
            }
        }
    }

    private void parts(Call call, int type, CUstream stream) {
        DataType elements = Objects.requireNonNull(call.type());
        int units = Types.units(elements);
        int bytes = elements.bytes();
        long count = call.count() * units;
        long send = call.sendAddress();
        long recv = call.recvAddress();
        long part = call.count() * bytes;
        switch (call.kind()) {
            case ALL_GATHER_V -> {
                for (int r = 0; r < size; r++) {
                    if (call.recvCounts()[r] > 0) {
                        long to = recv + call.recvOffsets()[r] * bytes;
                        LibNccl.ncclBroadcast(
                                r == rank ? send : to, to, call.recvCounts()[r] * units, type, r, comm, stream);
                    }
                }
            }
            case ALL_TO_ALL_V -> {
                for (int r = 0; r < size; r++) {
                    if (call.sendCounts()[r] > 0) {
                        long from = send + call.sendOffsets()[r] * bytes;
                        LibNccl.ncclSend(from, call.sendCounts()[r] * units, type, r, comm, stream);
                    }
                    if (call.recvCounts()[r] > 0) {
                        long to = recv + call.recvOffsets()[r] * bytes;
                        LibNccl.ncclRecv(to, call.recvCounts()[r] * units, type, r, comm, stream);
                    }
                }
            }
            case ALL_TO_ALL -> {
                for (int r = 0; r < size; r++) {
                    LibNccl.ncclSend(send + r * part, count, type, r, comm, stream);
                    LibNccl.ncclRecv(recv + r * part, count, type, r, comm, stream);
                }
            }
            case GATHER -> {
                LibNccl.ncclSend(send, count, type, call.peer(), comm, stream);
                for (int r = 0; call.isRoot() && r < size; r++) {
                    LibNccl.ncclRecv(recv + r * part, count, type, r, comm, stream);
                }
            }
            case SCATTER -> {
                LibNccl.ncclRecv(recv, count, type, call.peer(), comm, stream);
                for (int r = 0; call.isRoot() && r < size; r++) {
                    LibNccl.ncclSend(send + r * part, count, type, r, comm, stream);
                }
            }
            default -> throw new IllegalArgumentException(call.toString());
        }
    }
}
