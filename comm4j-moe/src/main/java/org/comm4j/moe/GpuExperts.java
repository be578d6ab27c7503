// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** NVSHMEM's PEs. Those out of reach have memory here that stands for theirs. */
final class GpuExperts extends MoeMachine {
    private static final int ALIGNMENT = 256;
    private static final int LEAST_THREADS = 128;

    /** Kernels look whether they are to leave every few microseconds. */
    private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Nvshmem shmem;
    private final World world;
    private final SymmetricArray space;
    /** This memory on each PE in reach. */
    private final @Nullable DeviceArray[] spaces;

    private final DeviceArray distances;
    private final PinnedArray report;
    private final Stream own;
    /** Beside kernels that wait. */
    private final Stream beside;

    private final KernelCompiler<GpuKernel> compiler;
    private final Map<List<Object>, GpuKernel> kernels = new HashMap<>();
    private final List<DeviceArray> arrays = new ArrayList<>();
    private final int[] far;
    /** PEs of a host. */
    private final int host;
    /** Whether no other PE has this GPU: a kernel that waits could take the room of one that it waits for. */
    private final boolean alone;

    private final long bytes;
    /** Of kernels that put something over a network. */
    private final @Nullable KernelCompiler<GpuKernel> farCompiler;

    private BitSet excluded = new BitSet();
    private long limit;

    /** Collective. */
    GpuExperts(ShmemPe pe, long bytes, int[] far, int host, boolean alone) {
        this.shmem = pe.nvshmem();
        this.world = pe.world();
        this.far = far;
        this.host = host;
        // Kernels that go over a network do not begin early.
        this.alone = alone && far.length == 0;
        this.bytes = bytes;
        CompileOptions exact = CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT);
        this.farCompiler = far.length == 0 ? null : ShmemCompiler.of(shmem, exact);
        this.compiler = KernelCompiler.of(shmem.device(), exact);
        this.own = shmem.device().newStream();
        this.beside = shmem.device().newStream();
        this.report = shmem.device().allocatePinned(DataType.INT64, MoeSpace.REPORTS);
        this.space = shmem.allocate(DataType.INT8, far.length == 0 ? bytes : bytes * shmem.nPes(), ALIGNMENT);
        this.spaces = new @Nullable DeviceArray[shmem.nPes()];
        this.distances = shmem.device().allocate(DataType.INT64, shmem.nPes());
        HostArray all = HostArray.allocate(DataType.INT64, shmem.nPes());
        for (int i = 0; i < shmem.nPes(); i++) {
            int each = i;
            boolean staged = Arrays.stream(far).anyMatch(other -> other == each);
            if (staged) {
                all.setLong(i, bytes * (i < shmem.myPe() ? i + 1 : i));
            } else {
                DeviceArray there = shmem.ptr(space, i);
                spaces[i] = there;
                all.setLong(i, there.address() - space.address());
            }
        }
        distances.copyFrom(all);
    }

    @Override
    Buffer space() {
        return space.slice(0, bytes);
    }

    @Override
    BitSet far() {
        BitSet all = new BitSet();
        Arrays.stream(far).forEach(all::set);
        return all;
    }

    @Override
    Buffer symmetric() {
        return space;
    }

    @Override
    Buffer allocate(DataType type, long count) {
        DeviceArray array = shmem.device().allocate(type, count);
        array.fill(0);
        arrays.add(array);
        return array;
    }

    @Override
    @Nullable
    FarRows farRows(MoeMemory.Plan plan) {
        return far.length == 0 ? null : new NetworkRows(plan, this, shmem.myPe(), far, host);
    }

    @Override
    @Nullable
    String outOfReach() {
        return far.length == 0 ? null : "PE " + far[0] + " is out of reach of PE " + shmem.myPe();
    }

    @Override
    void launchFar(Method kernel, int blocks, int sharedBytes, @Nullable Stream stream, Object... arguments) {
        KernelCompiler<GpuKernel> connected = Objects.requireNonNull(farCompiler);
        kernels.computeIfAbsent(List.of(kernel), key -> connected.compile(kernel))
                .launch(
                        LaunchConfig.grid(blocks).block(LEAST_THREADS).shared(sharedBytes),
                        stream == null ? own : stream,
                        arguments);
    }

    @Override
    I8Ptr base() {
        return I8Ptr.of(space);
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
        // Of the share of this PE, where several have a GPU.
        return shmem.device().properties().multiprocessors();
    }

    @Override
    int threads(int units) {
        return Math.clamp((units + 31L) / Warp.SIZE * Warp.SIZE, LEAST_THREADS, SendKernels.THREADS);
    }

    @Override
    void check(String operation, String name, Buffer buffer) {
        if (!(buffer instanceof DeviceArray array)
                || array.device().ordinal() != shmem.device().ordinal()) {
            throw new IllegalArgumentException(
                    operation + ": " + name + " " + buffer + " is not memory of " + shmem.device());
        }
    }

    @Override
    void check(String operation, @Nullable Stream stream) {
        // Without PEs that died NVSHMEM gives up, and its memory stays.
        if (excluded.isEmpty() ? !shmem.isOpen() : !space.isAlive()) {
            throw new IllegalStateException(operation + ": " + shmem + " is closed");
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
        compiled(kernel, constants)
                .launch(shape(blocks, threads, sharedBytes), stream == null ? own : stream, arguments);
    }

    /** A kernel begins while the one before it ends: 2 us less for a dispatch and a combine in a row. */
    private LaunchConfig shape(int blocks, int threads, int sharedBytes) {
        LaunchConfig shape = LaunchConfig.grid(blocks).block(threads).shared(sharedBytes);
        return alone ? shape.dependently() : shape;
    }

    private GpuKernel compiled(Method kernel, Object... constants) {
        return kernels.computeIfAbsent(
                List.of(kernel, Arrays.asList(constants)), key -> compiler.compile(kernel, constants));
    }

    @Override
    void load(Method kernel, Object... constants) {
        compiled(kernel, constants);
    }

    @Override
    MoeLaunch prepare(
            Method kernel, Object[] constants, int blocks, int threads, int sharedBytes, Object... arguments) {
        LaunchConfig shape = shape(blocks, threads, sharedBytes);
        return new MoeLaunch.OnGpu(compiled(kernel, constants).prepare(shape, arguments), own);
    }

    /** As {@link Nvshmem#synchronize}, after which there is no going on without a PE that died. */
    @Override
    void complete(@Nullable Stream stream) {
        Stream waited = stream == null ? own : stream;
        try {
            new StreamWait(shmem, world, excluded)
                    .await(
                            waited::isDone,
                            waited,
                            System.nanoTime(),
                            shmem.timeout().toNanos());
        } catch (RankFailedException e) {
            leave(waited, e);
        }
    }

    /** Kernels that wait leave, and say for whom they waited. */
    private void leave(Stream waited, RankFailedException cause) {
        long before = limit;
        set(MoeSpace.LIMIT, 1);
        long start = System.nanoTime();
        while (!waited.isDone()) {
            if (System.nanoTime() - start > LEAVE_NANOS) {
                throw cause;
            }
            Thread.onSpinWait();
        }
        set(MoeSpace.LIMIT, before);
    }

    @Override
    void settle(@Nullable Stream stream) {
        own.synchronize();
        if (stream != null && stream.isOpen()) {
            stream.synchronize();
        }
    }

    @Override
    Stream own() {
        return own;
    }

    @Override
    long reported(int word) {
        return report.getLong(word);
    }

    @Override
    void clear(int word) {
        report.setLong(word, 0);
    }

    @Override
    boolean isSymmetric(Buffer buffer) {
        return buffer instanceof SymmetricArray;
    }

    @Override
    Buffer peer(Buffer symmetric, int pe) {
        SymmetricArray here = (SymmetricArray) symmetric;
        DeviceArray there = spaces[pe];
        long offset = here.address() - space.address();
        return there == null || offset < 0 || offset >= space.byteSize()
                ? shmem.ptr(here, pe)
                : there.slice(offset, here.byteSize()).view(here.type());
    }

    @Override
    void copy(Buffer target, Buffer source, @Nullable Stream stream) {
        ((DeviceArray) target).copyFrom((DeviceArray) source, stream == null ? own : stream);
    }

    @Override
    BitSet dead() {
        BitSet dead = new BitSet();
        shmem.failedPes().forEach(dead::set);
        dead.andNot(excluded);
        return dead;
    }

    @Override
    void set(long offset, long value) {
        DeviceArray word = space.slice(offset, Long.BYTES).view(DataType.INT64);
        if (offset == MoeSpace.LIMIT || offset == MoeSpace.STATUS) {
            // Kernels that wait read these: who waited for them to end would wait for ever.
            limit = offset == MoeSpace.LIMIT ? value : limit;
            word.copyFrom(HostArray.of(value), beside);
            beside.synchronize();
        } else {
            word.copyFrom(HostArray.of(value));
        }
    }

    @Override
    void barrier() {
        shmem.barrierAll();
    }

    @Override
    void without(BitSet those) {
        excluded = those;
    }

    /** Whether the other PEs go on without this one. */
    private boolean isExcluded() {
        return space.slice(MoeSpace.STATUS, Long.BYTES).view(DataType.INT64).toLongArray()[0] == Waiting.EXCLUDED;
    }

    @Override
    public void close() {
        kernels.values().forEach(GpuKernel::close);
        compiler.close();
        if (farCompiler != null) {
            farCompiler.close();
        }
        arrays.forEach(DeviceArray::close);
        // All PEs free memory together: without some of them it is freed with the heap.
        if (shmem.isOpen() && excluded.isEmpty() && !isExcluded()) {
            space.close();
        }
        own.close();
        beside.close();
        distances.close();
        report.close();
    }
}
