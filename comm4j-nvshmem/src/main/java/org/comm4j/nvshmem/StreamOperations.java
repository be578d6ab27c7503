// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a communicator in the order of one stream. Reductions to all ranks are those of its team, by way of
 * symmetric memory of the communicator; everything else waits on the host.
 */
final class StreamOperations implements GroupedOperations {
    /** Bytes of operands, and as many of results, on each PE. */
    private static final long BYTES = 128 << 10;

    private final NvshmemCommunicator communicator;
    private final Stream stream;

    StreamOperations(NvshmemCommunicator communicator, Stream stream) {
        this.communicator = communicator;
        this.stream = stream;
    }

    @Override
    public void allReduce(Buffer send, Buffer recv, ReduceOp op) {
        Team team = communicator.openTeam();
        if (team == null
                || !(send instanceof DeviceArray from)
                || !(recv instanceof DeviceArray to)
                || !isReducible(from, to, op)) {
            communicator.allReduce(send, recv, op);
            return;
        }
        SymmetricArray scratch = communicator.scratch(2 * BYTES);
        long most = BYTES / from.type().bytes();
        for (long i = 0; i < from.count(); i += most) {
            long count = Math.min(most, from.count() - i);
            SymmetricArray operands = part(scratch, 0, from.type(), count);
            SymmetricArray results = part(scratch, BYTES, from.type(), count);
            operands.copyFrom(from.slice(i, count), stream);
            // Before others write here the results before these have been copied.
            team.sync(stream);
            team.reduce(results, operands, op, stream);
            to.slice(i, count).copyFrom(results, stream);
        }
    }

    /** Whether a team can do it; what is wrong is the communicator's to tell. */
    private boolean isReducible(DeviceArray from, DeviceArray to, ReduceOp op) {
        int own = communicator.nvshmem().device().ordinal();
        boolean same = from.type() == to.type() && from.count() == to.count();
        boolean here = from.device().ordinal() == own && to.device().ordinal() == own;
        boolean apart = from.address() == to.address()
                || from.address() + from.byteSize() <= to.address()
                || to.address() + to.byteSize() <= from.address();
        boolean alive = from.isAlive() && to.isAlive();
        return op != null && same && here && apart && alive && Types.reduces(op, from.type());
    }

    private static SymmetricArray part(SymmetricArray scratch, long at, DataType type, long count) {
        return scratch.slice(at, count * type.bytes()).view(type);
    }

    // What waits on the host. Calls without a stream come after what was started on their buffers.

    @Override
    public void reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root) {
        communicator.reduce(send, recv, op, root);
    }

    @Override
    public void broadcast(@Nullable Buffer send, Buffer recv, int root) {
        communicator.broadcast(send, recv, root);
    }

    @Override
    public void allGather(Buffer send, Buffer recv) {
        communicator.allGather(send, recv);
    }

    @Override
    public void allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        communicator.allGatherV(send, recv, counts, offsets);
    }

    @Override
    public void reduceScatter(Buffer send, Buffer recv, ReduceOp op) {
        communicator.reduceScatter(send, recv, op);
    }

    @Override
    public void allToAll(Buffer send, Buffer recv) {
        communicator.allToAll(send, recv);
    }

    @Override
    public void allToAllV(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets) {
        communicator.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets);
    }

    @Override
    public void gather(Buffer send, @Nullable Buffer recv, int root) {
        communicator.gather(send, recv, root);
    }

    @Override
    public void scatter(@Nullable Buffer send, Buffer recv, int root) {
        communicator.scatter(send, recv, root);
    }

    @Override
    public void send(Buffer buffer, int peer) {
        communicator.send(buffer, peer);
    }

    @Override
    public void recv(Buffer buffer, int peer) {
        communicator.recv(buffer, peer);
    }

    @Override
    public void group(Consumer<Operations> body) {
        communicator.group(body);
    }

    @Override
    public String toString() {
        return "operations of " + communicator + " in " + stream;
    }
}
