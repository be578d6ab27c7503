// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * The collectives with a configuration for the single call ({@code ncclAllReduceConfig} and so on; NCCL 2.31.2): made
 * by {@link NcclCommunicator#with(CollConfig)}. All stream-ordered, with the arguments of the methods of the same name
 * of {@link NcclCommunicator} and their errors, and an {@link IllegalStateException} if the configuration's launch
 * event was closed. For any thread. In groups: {@link Group#on(ConfiguredOperations, Stream)}.
 */
public final class ConfiguredOperations {
    private final NcclCommunicator communicator;
    private final NcclComm handle;
    private final MemorySegment config;
    private final @Nullable Event launch;
    private final Call call;
    private final Way way;

    ConfiguredOperations(NcclCommunicator communicator, CollConfig config) {
        if (!LibNccl.has("ncclAllReduceConfig")) {
            throw new UnsupportedOperationException(
                    "a configuration for single calls needs NCCL 2.31.2 or newer; loaded: " + Library.describe());
        }
        this.communicator = communicator;
        this.handle = communicator.handle();
        this.launch = config.launch();
        if (launch != null && launch.device().ordinal() != communicator.device().ordinal()) {
            throw new IllegalArgumentException("with(" + config + ") on " + communicator.where()
                    + ": the event belongs to GPU " + launch.device().ordinal());
        }
        this.config = config.write(Library.version(), Arena.ofAuto());
        this.call = new Call(communicator.rank(), communicator.size());
        this.way = new Way(this::check, stream -> {}, this::enqueue, config, launch);
    }

    NcclCommunicator communicator() {
        return communicator;
    }

    /** {@code ncclAllReduceConfig}. */
    public synchronized void allReduce(Buffer send, Buffer recv, ReduceOp op, Stream stream) {
        run(call.allReduce(send, recv, op), stream);
    }

    /** {@code ncclReduceConfig}. */
    public synchronized void reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root, Stream stream) {
        run(call.reduce(send, recv, op, root), stream);
    }

    /** {@code ncclBroadcastConfig}. */
    public synchronized void broadcast(@Nullable Buffer send, Buffer recv, int root, Stream stream) {
        run(call.broadcast(send, recv, root), stream);
    }

    /** {@code ncclAllGatherConfig}. */
    public synchronized void allGather(Buffer send, Buffer recv, Stream stream) {
        run(call.allGather(send, recv), stream);
    }

    /** {@code ncclReduceScatterConfig}. */
    public synchronized void reduceScatter(Buffer send, Buffer recv, ReduceOp op, Stream stream) {
        run(call.reduceScatter(send, recv, op), stream);
    }

    /** {@code ncclAlltoAllConfig}. */
    public synchronized void allToAll(Buffer send, Buffer recv, Stream stream) {
        run(call.allToAll(send, recv), stream);
    }

    /** {@code ncclGatherConfig}. */
    public synchronized void gather(Buffer send, @Nullable Buffer recv, int root, Stream stream) {
        run(call.gather(send, recv, root), stream);
    }

    /** {@code ncclScatterConfig}. */
    public synchronized void scatter(@Nullable Buffer send, Buffer recv, int root, Stream stream) {
        run(call.scatter(send, recv, root), stream);
    }

    private void run(Call call, Stream stream) {
        communicator.enqueueAs(way, call, stream);
    }

    /** For groups. */
    Way way() {
        return way;
    }

    private void check(Call call) {
        switch (call.kind()) {
            case ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> {
                if (launch != null) {
                    // Throws if it was closed, which NCCL would not notice.
                    launch.handle();
                }
            }
            default ->
                throw new UnsupportedOperationException(call.kind().method() + " on " + communicator.where()
                        + ": NCCL has no configuration for single calls of this kind");
        }
    }

    private void enqueue(Call call, CUstream queue) {
        DataType elements = Objects.requireNonNull(call.type());
        int type = Types.of(elements);
        long count = call.count() * Types.units(elements);
        long send = call.sendAddress();
        long recv = call.recvAddress();
        int op = call.op() == null ? 0 : Types.of(call.op(), communicator.size());
        int root = call.peer();
        switch (call.kind()) {
            case ALL_REDUCE -> LibNccl.ncclAllReduceConfig(send, recv, count, type, op, handle, queue, config);
            case REDUCE -> LibNccl.ncclReduceConfig(send, recv, count, type, op, root, handle, queue, config);
            case BROADCAST ->
                LibNccl.ncclBroadcastConfig(
                        call.isRoot() ? send : recv, recv, count, type, root, handle, queue, config);
            case ALL_GATHER -> LibNccl.ncclAllGatherConfig(send, recv, count, type, handle, queue, config);
            case REDUCE_SCATTER -> LibNccl.ncclReduceScatterConfig(send, recv, count, type, op, handle, queue, config);
            case ALL_TO_ALL -> LibNccl.ncclAlltoAllConfig(send, recv, count, type, handle, queue, config);
            case GATHER -> LibNccl.ncclGatherConfig(send, recv, count, type, root, handle, queue, config);
            case SCATTER -> LibNccl.ncclScatterConfig(send, recv, count, type, root, handle, queue, config);
            default -> throw new IllegalArgumentException(call.toString());
        }
    }
}
