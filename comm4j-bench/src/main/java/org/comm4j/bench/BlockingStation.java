// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.host.HostCommunicator;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.jspecify.annotations.Nullable;

/** One rank of a communicator whose calls return when they are done, in host memory. */
final class BlockingStation extends Station {
    private final World world;
    private final Communicator comm;
    private final Buffers buffers;
    private @Nullable OpenShmem shmem;
    /** One number that ranks agree on. */
    private final HostArray word = HostArray.allocate(DataType.FLOAT64, 1);

    BlockingStation(World world, Communicator comm, Settings settings) {
        this.world = world;
        this.comm = comm;
        this.buffers = new Buffers(comm, settings.largest(), settings.registered());
    }

    @Override
    public int ranks() {
        return comm.size();
    }

    @Override
    public boolean speaks() {
        return comm.rank() == 0;
    }

    @Override
    public @Nullable String obstacle(Operation operation) {
        if (operation.isOneSided() && operation != Operation.LATENCY && !(comm instanceof HostCommunicator)) {
            return "needs the engine host, not " + comm.engine();
        }
        return operation.obstacle(comm.size());
    }

    @Override
    boolean supports(Operation operation, DataType type, @Nullable ReduceOp reduction) {
        return reduction == null || reduction.supports(type);
    }

    @Override
    Trial trial(
            Operation operation,
            Operation.Shape shape,
            DataType type,
            @Nullable ReduceOp reduction,
            int root,
            boolean inPlace) {
        return switch (operation) {
            case PUT, GET -> new Trial.Copy(shmem(), buffers, operation == Operation.PUT, type, shape.count());
            case LATENCY ->
                comm instanceof HostCommunicator ? new Trial.PingPong(shmem()) : new Trial.MessagePingPong(comm);
            default -> {
                RankCall call = new RankCall(operation, shape, type, reduction, root, comm.rank(), comm.size());
                yield new Trial.Collective(
                        comm,
                        call,
                        call.buffers(buffers.send(type, shape.send()), buffers.recv(type, shape.recv()), inPlace));
            }
        };
    }

    /** For one-sided operations; collective the first time. */
    private OpenShmem shmem() {
        if (shmem == null) {
            shmem = OpenShmem.init(world, OpenShmemOptions.defaults().engine(OpenShmemOptions.Engine.EMBEDDED));
        }
        return shmem;
    }

    @Override
    void meet() {
        comm.barrier();
    }

    @Override
    void rest() {
        // Whoever waits in the shared memory is woken by every store: sleep elsewhere.
        world.barrier();
    }

    @Override
    double agree(double value, ReduceOp op) {
        word.setDouble(0, value);
        comm.allReduce(word, word, op);
        return word.getDouble(0);
    }

    @Override
    boolean copiesPlainly() {
        return true;
    }

    @Override
    void copyPlainly(long bytes, long times) {
        buffers.plainCopies(bytes, times);
    }

    @Override
    public void close() {
        buffers.close();
        if (shmem != null) {
            shmem.close();
        }
    }
}
