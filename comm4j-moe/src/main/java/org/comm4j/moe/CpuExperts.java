// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Standstill;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.host.HostShmem;
import org.comm4j.host.PeerMemory;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.KernelException;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Warp;
import org.jspecify.annotations.Nullable;

/** The embedded engine's PEs. There are no streams: each operation has ended when it returns. */
final class CpuExperts extends MoeMachine {
    /** Few, since each thread of a block is one of Java. */
    private static final int BLOCKS = 2;

    /** By the address of their memory, which kernels have. */
    private static final Map<Long, CpuExperts> OPEN = new ConcurrentHashMap<>();

    private final HostShmem shmem;
    private final ShmemPe pe;
    private final SymmetricArray space;
    private final I8Ptr base;
    private final HostArray distances;
    private final HostArray report = HostArray.allocate(DataType.INT64, MoeSpace.REPORTS);
    private final Map<List<Object>, CompiledKernel> kernels = new HashMap<>();
    private final PeerMemory memory;
    private final int[] far;
    /** PEs of a host. */
    private final int host;

    private final long bytes;
    private volatile BitSet excluded = new BitSet();

    /** Collective. */
    CpuExperts(ShmemPe pe, long bytes, int[] far, int host) {
        this.pe = pe;
        this.far = far;
        this.host = host;
        this.bytes = bytes;
        this.shmem = pe.host();
        long all = far.length == 0 ? bytes : bytes * pe.nPes();
        this.space = shmem.allocate("ExpertParallel.of on PE " + pe.myPe(), DataType.INT8, all);
        this.memory = shmem.memory();
        HostArray heaps = HostArray.wrap(memory.all(), DataType.INT8);
        OPEN.values().removeIf(each -> !each.memory.isOpen());
        OPEN.put(space.address(), this);
        this.base = I8Ptr.of(heaps, space.address() - memory.all().address());
        this.distances = HostArray.allocate(DataType.INT64, pe.nPes());
        for (int i = 0; i < pe.nPes(); i++) {
            distances.setLong(i, memory.start(i) - memory.start(pe.myPe()));
        }
        for (int i : far) {
            distances.setLong(i, bytes * (i < pe.myPe() ? i + 1 : i));
        }
    }

    /**
     * To be called by kernels that wait: tells of a wait that has become long, and throws if a PE died, or the heap was
     * closed.
     *
     * @param start when the wait began, in nanoseconds; 0 if it has just begun
     * @param pe who is waited for
     */
    static void lookAround(long address, long start, int pe) {
        if (start != 0) {
            Standstill.look(System.nanoTime() - start, "a kernel of ExpertParallel", () -> "waiting for PE " + pe);
        }
        CpuExperts experts = OPEN.get(address);
        if (experts != null) {
            experts.memory.lookAround("a kernel of ExpertParallel", System.nanoTime(), experts.excluded);
        }
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
        return HostArray.allocate(type, count);
    }

    @Override
    @Nullable
    FarRows farRows(MoeMemory.Plan plan) {
        return far.length == 0 ? null : new NetworkRows(plan, this, pe.myPe(), far, host);
    }

    @Override
    @Nullable
    String outOfReach() {
        return far.length == 0 ? null : "PE " + far[0] + " is out of reach of PE " + pe.myPe();
    }

    @Override
    void launchFar(Method kernel, int blocks, int sharedBytes, @Nullable Stream stream, Object... arguments) {
        launch(kernel, new Object[0], blocks, threads(0), sharedBytes, stream, arguments);
    }

    @Override
    I8Ptr base() {
        return base;
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
        return BLOCKS;
    }

    @Override
    int threads(int units) {
        return Warp.SIZE;
    }

    @Override
    void check(String operation, String name, Buffer buffer) {
        if (!(buffer instanceof HostArray)) {
            throw new IllegalArgumentException(
                    operation + ": " + name + " " + buffer + " is not memory of the host, where this runs");
        }
    }

    @Override
    void check(String operation, @Nullable Stream stream) {
        if (stream != null) {
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
        prepare(kernel, constants, blocks, threads, sharedBytes, arguments).launch(stream);
    }

    @Override
    MoeLaunch prepare(
            Method kernel, Object[] constants, int blocks, int threads, int sharedBytes, Object... arguments) {
        CompiledKernel compiled = kernels.computeIfAbsent(
                List.of(kernel, Arrays.asList(constants)), key -> pe.compiler().compile(kernel, constants));
        LaunchConfig shape = LaunchConfig.grid(blocks).block(threads).shared(sharedBytes);
        return new MoeLaunch.OnCpu(all -> run(compiled, shape, all), arguments);
    }

    private void run(CompiledKernel kernel, LaunchConfig shape, Object... arguments) {
        try {
            kernel.launch(shape, arguments);
        } catch (KernelException e) {
            if (e.getCause() instanceof RankFailedException dead) {
                throw new RankFailedException(
                        dead.failedRank(),
                        kernel.method().getName() + " on PE " + pe.myPe() + " of " + pe.nPes() + ": "
                                + dead.getMessage());
            }
            throw e;
        }
    }

    @Override
    void complete(@Nullable Stream stream) {}

    @Override
    void settle(@Nullable Stream stream) {}

    @Override
    @Nullable
    Stream own() {
        return null;
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
        return memory.isSymmetric(((HostArray) buffer).segment());
    }

    @Override
    Buffer peer(Buffer symmetric, int other) {
        return HostArray.wrap(memory.on(((HostArray) symmetric).segment(), other), symmetric.type());
    }

    @Override
    void copy(Buffer target, Buffer source, @Nullable Stream stream) {
        target.copyFrom((HostArray) source);
    }

    @Override
    BitSet dead() {
        BitSet dead = new BitSet();
        try {
            memory.lookAround("a kernel of ExpertParallel", System.nanoTime(), excluded);
        } catch (RankFailedException e) {
            dead.set(e.failedRank());
        }
        return dead;
    }

    @Override
    void set(long offset, long value) {
        space.segment().set(JAVA_LONG, offset, value);
    }

    @Override
    void barrier() {
        shmem.barrierAll();
    }

    @Override
    void without(BitSet those) {
        excluded = those;
    }

    @Override
    public void close() {
        kernels.values().forEach(CompiledKernel::close);
        if (OPEN.remove(space.address(), this) && memory.isOpen()) {
            space.close();
        }
    }
}
