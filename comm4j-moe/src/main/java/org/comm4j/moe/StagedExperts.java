// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Warp;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that send messages. The memory of each other rank is staged here: kernels write what belongs there, and read
 * what came from there, at the places that it has on its rank.
 */
final class StagedExperts extends MoeMachine {
    private static final int CPU_BLOCKS = 2;
    private static final int LEAST_THREADS = 128;
    private static final String FAR =
            ": ranks that send messages do not reach each other's memory: make it of a ShmemPe";

    private final ExpertTransport transport;
    private final @Nullable Device device;
    private final KernelCompiler<?> compiler;
    /** This rank's memory, then that which is staged, in the order of the other ranks. */
    private final Buffer all;

    private final long bytes;
    private final int me;
    private final Buffer distances;
    private final Buffer report;
    private final @Nullable Stream own;
    private final Map<List<Object>, CompiledKernel> kernels = new HashMap<>();

    private final boolean alone;

    /** @param alone whether this rank is the only one, whatever the transport has */
    StagedExperts(ExpertTransport transport, long bytes, boolean alone) {
        this.alone = alone;
        this.transport = transport;
        this.device = transport.device();
        this.compiler = transport.compiler();
        this.bytes = bytes;
        this.me = alone ? 0 : transport.communicator().rank();
        int ranks = alone ? 1 : transport.communicator().size();
        this.all = allocate(DataType.INT8, bytes * ranks);
        all.fill(0);
        this.own = device == null ? null : device.newStream();
        this.report = device == null
                ? HostArray.allocate(DataType.INT64, MoeSpace.REPORTS)
                : device.allocatePinned(DataType.INT64, MoeSpace.REPORTS);
        HostArray far = HostArray.allocate(DataType.INT64, ranks);
        for (int rank = 0; rank < ranks; rank++) {
            far.setLong(rank, staged(rank));
        }
        this.distances = allocate(DataType.INT64, ranks);
        distances.copyFrom(far);
    }

    @Override
    Buffer allocate(DataType type, long count) {
        return device == null ? HostArray.allocate(type, count) : device.allocate(type, count);
    }

    /** Bytes from this rank's memory to what is staged for another rank. */
    private long staged(int rank) {
        return rank == me ? 0 : bytes * (rank < me ? rank + 1 : rank);
    }

    /** Returns bytes of what is staged for another rank, or of this rank's. */
    Buffer at(int rank, long offset, long count) {
        return all.slice(staged(rank) + offset, count);
    }

    /** Does messages in the stream. */
    void group(@Nullable Stream stream, Consumer<Operations> body) {
        transport.group(stream == null ? own : stream, body);
    }

    @Override
    @Nullable
    FarRows farRows(MoeMemory.Plan plan) {
        return alone ? null : new StagedRows(plan, this, transport);
    }

    @Override
    @Nullable
    String outOfReach() {
        return alone ? null : "ranks that send messages do not reach each other's memory";
    }

    @Override
    Buffer space() {
        return all.slice(0, bytes);
    }

    @Override
    I8Ptr base() {
        return I8Ptr.of(all);
    }

    @Override
    I64Ptr distances() {
        return I64Ptr.of(distances);
    }

    @Override
    I64Ptr report() {
        return I64Ptr.of(report);
    }

    @Override
    int blocks() {
        return device == null ? CPU_BLOCKS : device.properties().multiprocessors();
    }

    @Override
    int threads(int units) {
        return device == null
                ? Warp.SIZE
                : Math.clamp((units + 31L) / Warp.SIZE * Warp.SIZE, LEAST_THREADS, SendKernels.THREADS);
    }

    @Override
    void check(String operation, String name, Buffer buffer) {
        boolean fits = device == null
                ? buffer instanceof HostArray
                : buffer instanceof DeviceArray array && array.device().ordinal() == device.ordinal();
        if (!fits) {
            throw new IllegalArgumentException(operation + ": " + name + " " + buffer + " is not memory of "
                    + (device == null ? "the host, where this runs" : device));
        }
    }

    @Override
    void check(String operation, @Nullable Stream stream) {
        if (stream != null && device == null) {
            throw new UnsupportedOperationException(operation + ": there are no streams on the CPU; leave it out");
        }
    }

    @Override
    void launch(
            Method kernel,
            Object[] constants,
            int blocks,
            int threads,
            int sharedBytes,
            @Nullable Stream stream,
            Object... arguments) {
        CompiledKernel compiled = compiled(kernel, constants);
        LaunchConfig shape = LaunchConfig.grid(blocks).block(threads).shared(sharedBytes);
        Stream into = stream == null ? own : stream;
        if (into == null) {
            compiled.launch(shape, arguments);
        } else {
            ((GpuKernel) compiled).launch(shape, into, arguments);
        }
    }

    @Override
    MoeLaunch prepare(
            Method kernel, Object[] constants, int blocks, int threads, int sharedBytes, Object... arguments) {
        CompiledKernel compiled = compiled(kernel, constants);
        LaunchConfig shape = LaunchConfig.grid(blocks).block(threads).shared(sharedBytes);
        return own == null
                ? new MoeLaunch.OnCpu(all -> compiled.launch(shape, all), arguments)
                : new MoeLaunch.OnGpu(((GpuKernel) compiled).prepare(shape, arguments), own);
    }

    private CompiledKernel compiled(Method kernel, Object[] constants) {
        return kernels.computeIfAbsent(
                List.of(kernel, Arrays.asList(constants)), _ -> compiler.compile(kernel, constants));
    }

    @Override
    void complete(@Nullable Stream stream) {
        Stream waited = stream == null ? own : stream;
        if (waited != null) {
            transport.synchronize(waited);
        }
    }

    @Override
    void settle(@Nullable Stream stream) {
        throw new UnsupportedOperationException("exclude" + FAR);
    }

    @Override
    @Nullable
    Stream own() {
        return own;
    }

    @Override
    long reported(int word) {
        return report instanceof PinnedArray pinned ? pinned.getLong(word) : ((HostArray) report).getLong(word);
    }

    @Override
    void clear(int word) {
        if (report instanceof PinnedArray pinned) {
            pinned.setLong(word, 0);
        } else {
            ((HostArray) report).setLong(word, 0);
        }
    }

    @Override
    boolean isSymmetric(Buffer buffer) {
        return false;
    }

    @Override
    Buffer peer(Buffer symmetric, int pe) {
        throw new UnsupportedOperationException("fetch and reduceReplicas" + FAR);
    }

    @Override
    void copy(Buffer target, Buffer source, @Nullable Stream stream) {
        Stream into = stream == null ? own : stream;
        if (into == null) {
            target.copyFrom((HostArray) source);
        } else {
            ((DeviceArray) target).copyFrom((DeviceArray) source, into);
        }
    }

    @Override
    BitSet dead() {
        return new BitSet();
    }

    @Override
    void set(long offset, long value) {
        all.slice(offset, Long.BYTES).view(DataType.INT64).copyFrom(HostArray.of(value));
    }

    @Override
    void barrier() {
        transport.communicator().barrier();
    }

    @Override
    void without(BitSet excluded) {
        throw new UnsupportedOperationException("exclude" + FAR);
    }

    @Override
    public void close() {
        kernels.values().forEach(CompiledKernel::close);
        compiler.close();
        close(all);
        close(distances);
        close(report);
        if (own != null) {
            own.close();
        }
    }

    static void close(Buffer buffer) {
        if (buffer instanceof DeviceArray array) {
            array.close();
        } else if (buffer instanceof PinnedArray pinned) {
            pinned.close();
        }
    }
}
