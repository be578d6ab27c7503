// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.KernelArgument;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** NVSHMEM's PEs. A call that was made before with the same shape sets arguments and launches. */
final class GpuPeers extends PeerMachine {
    private static final long STAGING_BYTES = 16 << 20;
    /** Arrays whose places on the other PEs are kept. */
    private static final int PLACES = 64;

    /** Places to push to of a block: 2 MiB of all blocks, from each PE, in each step. */
    private static final int ROW = (2 << 20) / 16 / PeerSpace.BLOCKS;

    private static final PreparedLaunch[] NONE = {};

    private final Nvshmem shmem;
    private final KernelCompiler<GpuKernel> compiler;
    private final SymmetricArray space;
    private final SymmetricArray staging;
    private final PinnedArray report;
    private final Stream own;
    private final PeerGroup group;
    private final @Nullable GpuKernel[] kernels = new GpuKernel[PeerVariant.COUNT];
    /** Of each variant, in few shapes. */
    private final PreparedLaunch[][] launches = new PreparedLaunch[PeerVariant.COUNT][];

    private final long[] addresses = new long[PLACES];
    private final @Nullable KernelArgument[] places = new KernelArgument[PLACES];
    private int nextPlace;

    /** Collective. */
    GpuPeers(Nvshmem shmem) {
        super(shmem.myPe(), shmem.nPes(), PeerSpace.THREADS, PeerSpace.DIRECT_THREADS, PeerSpace.BLOCKS, ROW);
        Arrays.fill(launches, NONE);
        this.shmem = shmem;
        this.compiler = KernelCompiler.of(shmem.device(), CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT));
        this.own = shmem.device().newStream();
        this.report = shmem.device().allocatePinned(DataType.INT32, 1);
        this.space = shmem.allocate(DataType.INT64, PeerSpace.bytes(nPes, ROW) / Long.BYTES, 256);
        this.staging = shmem.allocate(DataType.INT8, STAGING_BYTES, 256);
        this.group = new PeerGroup(pointers(pe -> I8Ptr.of(bytes(shmem.ptr(space, pe)))), I32Ptr.of(report));
        epochs(PeerSpace.next(0), 1);
        long places = PeerSpace.places(nPes);
        bytes(space).slice(places, PeerSpace.bytes(nPes, ROW) - places).fill(-1);
        shmem.barrierAll();
    }

    private PeerPointers pointers(IntFunction<I8Ptr> of) {
        return PeerPointers.of(nPes, of);
    }

    PeerGroup group() {
        return group;
    }

    private static DeviceArray bytes(DeviceArray array) {
        return array.view(DataType.INT8);
    }

    @Override
    boolean isSymmetric(Buffer buffer) {
        return buffer instanceof SymmetricArray;
    }

    @Override
    void check(String operation, Buffer buffer, @Nullable Stream stream) {
        if (!(buffer instanceof DeviceArray array)
                || array.device().ordinal() != shmem.device().ordinal()) {
            throw new IllegalArgumentException(operation + ": " + buffer + " is not memory of " + shmem.device());
        }
        if (!shmem.isOpen()) {
            throw new IllegalStateException(operation + ": " + shmem + " is closed");
        }
    }

    private PreparedLaunch launch(int variant, int blocks, int width) {
        boolean overlap = tuning.get(PeerTuning.Setting.OVERLAP) != 0;
        PreparedLaunch[] known = launches[variant];
        for (PreparedLaunch each : known) {
            LaunchConfig config = each.config();
            if (config.gridX() == blocks && config.blockX() == width && config.dependent() == overlap) {
                return each;
            }
        }
        PeerVariant which = PeerVariant.of(variant);
        GpuKernel kernel = kernels[variant];
        if (kernel == null) {
            kernel = compiler.compile(which.method(), which.constants(myPe, nPes));
            kernels[variant] = kernel;
        }
        LaunchConfig shape = LaunchConfig.grid(blocks).block(width);
        LaunchConfig config = overlap ? shape.dependently() : shape;
        PeerPointers some = group.spaces();
        I8Ptr none = some.p0();
        PreparedLaunch made = switch (which.kind()) {
            case WORDS -> kernel.prepare(config, some, report, none, none, 0L, 0L, 0L);
            case PUSH -> kernel.prepare(config, some, report, row, none, none, 0L, 0L, 0L, 0L);
            case DIRECT -> kernel.prepare(config, some, report, some, some, 0L);
        };
        launches[variant] = Arrays.copyOf(known, known.length + 1);
        launches[variant][known.length] = made;
        return made;
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
        launch(variant, blocks, threads)
                .set(2, (DeviceArray) destination)
                .set(3, (DeviceArray) source)
                .set(4, begin)
                .set(5, end)
                .set(6, part)
                .launch(stream == null ? own : stream);
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
        launch(variant, blocks, threads)
                .set(3, (DeviceArray) destination)
                .set(4, (DeviceArray) source)
                .set(5, begin)
                .set(6, length)
                .set(7, end)
                .set(8, share)
                .launch(stream == null ? own : stream);
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
        Stream in = stream == null ? own : stream;
        DeviceArray to = (DeviceArray) destination;
        DeviceArray from = (DeviceArray) source;
        PreparedLaunch launch = launch(variant, blocks, threads)
                .set(2, places(to))
                .set(3, places(from))
                .set(4, part);
        to.usedIn(in);
        from.usedIn(in);
        launch.launch(in);
    }

    /**
     * Where an array is on all PEs, or here if it is only here. The heap of a PE has one place in the addresses of this
     * GPU, so an address stays what it is.
     */
    private KernelArgument places(DeviceArray array) {
        long address = array.address();
        for (int i = 0; i < PLACES; i++) {
            KernelArgument known = places[i];
            if (addresses[i] == address && known != null) {
                return known;
            }
        }
        MemorySegment bytes = MemorySegment.ofArray(new long[PeerPointers.MAX]);
        for (int pe = 0; pe < PeerPointers.MAX; pe++) {
            long there = pe < nPes && array instanceof SymmetricArray symmetric
                    ? shmem.ptr(symmetric, pe).address()
                    : address;
            bytes.setAtIndex(JAVA_LONG, pe, there);
        }
        KernelArgument made = new KernelArgument(bytes, List.of());
        addresses[nextPlace] = address;
        places[nextPlace] = made;
        nextPlace = (nextPlace + 1) % PLACES;
        return made;
    }

    @Override
    Buffer staging() {
        return staging;
    }

    @Override
    void stage(Buffer array, long element, long count, boolean in, @Nullable Stream stream) {
        DeviceArray there = bytes(((DeviceArray) array).slice(element, count));
        DeviceArray here = staging.slice(0, there.count());
        Stream queue = stream == null ? own : stream;
        if (in) {
            here.copyFrom(there, queue);
        } else {
            there.copyFrom(here, queue);
        }
    }

    @Override
    void complete(@Nullable Stream stream) {
        shmem.synchronize(stream == null ? own : stream);
    }

    @Override
    @Nullable
    Stream own() {
        return own;
    }

    @Override
    int status() {
        return report.getInt(0);
    }

    @Override
    CommException failure(String message, int pe) {
        return shmem.failedPes().contains(pe)
                ? new RankFailedException(pe, message)
                : new CommTimeoutException(message);
    }

    @Override
    void limit(long nanos) {
        bytes(space).slice(PeerSpace.LIMIT, Long.BYTES).view(DataType.INT64).copyFrom(HostArray.of(nanos));
    }

    @Override
    void epochs(int exchanges, int meetings) {
        DeviceArray words = space.view(DataType.INT32);
        words.slice(PeerSpace.EXCHANGES / 4, PeerSpace.BLOCKS).fill(exchanges);
        words.slice(PeerSpace.MEETINGS / 4, PeerSpace.BLOCKS).fill(meetings);
        words.slice(PeerSpace.PUSHES / 4, PeerSpace.BLOCKS).fill(exchanges);
    }

    @Override
    public void close() {
        for (GpuKernel kernel : kernels) {
            if (kernel != null) {
                kernel.close();
            }
        }
        compiler.close();
        if (shmem.isOpen()) {
            staging.close();
            space.close();
        }
        own.close();
        report.close();
    }
}
