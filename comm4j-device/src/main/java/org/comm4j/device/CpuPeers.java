// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.PeerPointers;
import org.jspecify.annotations.Nullable;

/** The embedded engine's PEs. There are no streams: each operation has ended when it returns. */
final class CpuPeers extends PeerMachine {
    /** Few, since each is as much work as a thread of Java. */
    private static final int THREADS = 8;

    private static final int BLOCKS = 4;
    private static final int ROW = 3 * THREADS;
    private static final int STAGING_BYTES = 4096;

    private final HostShmem shmem;
    private final SymmetricArray space;
    private final SymmetricArray staging;
    private final HostArray report = HostArray.allocate(DataType.INT32, 1);
    private final KernelCompiler<CompiledKernel> compiler;
    private final @Nullable CompiledKernel[] kernels = new CompiledKernel[PeerVariant.COUNT];
    private final PeerPointers spaces;

    /** Collective. */
    CpuPeers(HostShmem shmem, CpuOptions options) {
        super(shmem.myPe(), shmem.nPes(), THREADS, THREADS, BLOCKS, ROW);
        this.shmem = shmem;
        this.compiler = KernelCompiler.cpu(options);
        this.space = shmem.allocate(DataType.INT64, PeerSpace.bytes(nPes, ROW) / Long.BYTES);
        this.staging = shmem.allocate(DataType.INT8, STAGING_BYTES);
        this.spaces = pointers(space);
        epochs(PeerSpace.next(0), 1);
        space.segment().asSlice(PeerSpace.places(nPes)).fill((byte) -1);
        shmem.barrierAll();
    }

    @Override
    boolean isSymmetric(Buffer buffer) {
        return shmem.memory().isSymmetric(((HostArray) buffer).segment());
    }

    @Override
    void check(String operation, Buffer buffer, @Nullable Stream stream) {
        if (stream != null) {
            throw new UnsupportedOperationException(operation + ": there are no streams on the CPU");
        }
        if (!(buffer instanceof HostArray)) {
            throw new IllegalArgumentException(operation + ": " + buffer + " is not memory of the host");
        }
    }

    PeerPointers pointers(HostArray array) {
        MemorySegment mine = array.segment();
        return PeerPointers.of(
                nPes, pe -> I8Ptr.of(HostArray.wrap(shmem.memory().on(mine, pe), DataType.INT8)));
    }

    PeerGroup group() {
        return new PeerGroup(spaces, org.comm4j.kernel.lang.I32Ptr.of(report));
    }

    private PeerPointers pointersOrOwn(Buffer buffer) {
        HostArray array = (HostArray) buffer;
        return isSymmetric(array) ? pointers(array) : PeerPointers.of(nPes, pe -> bytes(array));
    }

    private static I8Ptr bytes(Buffer array) {
        return I8Ptr.of(HostArray.wrap(((HostArray) array).segment(), DataType.INT8));
    }

    private void launch(int variant, int blocks, int threads, Object... arguments) {
        CompiledKernel kernel = kernels[variant];
        if (kernel == null) {
            PeerVariant of = PeerVariant.of(variant);
            kernel = compiler.compile(of.method(), of.constants(myPe, nPes));
            kernels[variant] = kernel;
        }
        kernel.launch(LaunchConfig.grid(blocks).block(threads).cooperatively(), arguments);
    }

    @Override
    void words(
            int variant,
            int blocks,
            int threads,
            Buffer destination,
            Buffer source,
            long begin,
            long end,
            long part,
            @Nullable Stream stream) {
        launch(variant, blocks, threads, spaces, report, bytes(destination), bytes(source), begin, end, part);
    }

    @Override
    void push(
            int variant,
            int blocks,
            int threads,
            Buffer destination,
            Buffer source,
            long begin,
            long length,
            long end,
            long share,
            @Nullable Stream stream) {
        launch(
                variant,
                blocks,
                threads,
                spaces,
                report,
                row,
                bytes(destination),
                bytes(source),
                begin,
                length,
                end,
                share);
    }

    @Override
    void direct(
            int variant,
            int blocks,
            int threads,
            Buffer destination,
            Buffer source,
            long part,
            @Nullable Stream stream) {
        launch(variant, blocks, threads, spaces, report, pointersOrOwn(destination), pointersOrOwn(source), part);
    }

    @Override
    Buffer staging() {
        return staging;
    }

    @Override
    void stage(Buffer array, long element, long count, boolean in, @Nullable Stream stream) {
        long bytes = array.type().bytes();
        MemorySegment there = ((HostArray) array).segment().asSlice(element * bytes, count * bytes);
        MemorySegment here = staging.segment().asSlice(0, count * bytes);
        if (in) {
            here.copyFrom(there);
        } else {
            there.copyFrom(here);
        }
    }

    @Override
    void complete(@Nullable Stream stream) {}

    @Override
    @Nullable
    Stream own() {
        return null;
    }

    @Override
    int status() {
        return report.getInt(0);
    }

    @Override
    CommException failure(String message, int pe) {
        return CpuPe.inVain(shmem, message);
    }

    @Override
    void limit(long nanos) {
        space.segment().set(JAVA_LONG, PeerSpace.LIMIT, nanos);
    }

    @Override
    void epochs(int exchanges, int meetings) {
        for (int block = 0; block < PeerSpace.BLOCKS; block++) {
            space.segment().set(JAVA_INT, PeerSpace.EXCHANGES + 4L * block, exchanges);
            space.segment().set(JAVA_INT, PeerSpace.MEETINGS + 4L * block, meetings);
            space.segment().set(JAVA_INT, PeerSpace.PUSHES + 4L * block, exchanges);
        }
    }

    @Override
    public void close() {
        compiler.close();
        if (shmem.memory().isOpen()) {
            staging.close();
            space.close();
        }
    }
}
