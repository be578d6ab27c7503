// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUfunction;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/** This process as a PE whose kernels are measured: on its GPU, or on the CPU with the embedded engine. */
public abstract class DevicePe implements AutoCloseable {
    public final int myPe;
    public final int nPes;

    private DevicePe(int myPe, int nPes) {
        this.myPe = myPe;
        this.nPes = nPes;
    }

    /** A kernel whose last parameter is an {@code int}: how often it does what it does. */
    public interface Repeated {
        /** Puts it where it will run; others may be behind. */
        void issue(int times);

        /** Runs it to its end, and tells the microseconds of one time. */
        double micros(int times);
    }

    public abstract KernelCompiler<?> compiler();

    /** A new one, that shares nothing with {@link #compiler()} but the cache on disk. */
    abstract KernelCompiler<?> newCompiler();

    /** Collective: symmetric memory. */
    public abstract Buffer allocate(long bytes);

    /** The first elements of a type. */
    public abstract Buffer view(Buffer memory, DataType type, long count);

    /**
     * A kernel with its arguments.
     *
     * @param arguments all but the last one
     */
    public abstract Repeated repeated(CompiledKernel kernel, LaunchConfig config, Object... arguments);

    /**
     * The least that puts a kernel where it will run: {@code cuLaunchKernel}; on the CPU there is nothing below the
     * launch. For this thread, and for launches that are not cooperative.
     *
     * @param arguments addresses and integers
     */
    abstract Runnable bare(CompiledKernel kernel, LaunchConfig config, Object... arguments);

    /** What was issued has ended. */
    public abstract void complete();

    /** All PEs have come. */
    abstract void barrier();

    @Override
    public abstract void close();

    /**
     * Collective over the processes of {@code world}: each is a PE.
     *
     * @param onGpus whether on a GPU, with NVSHMEM, else on the CPU, with the embedded engine
     * @param bytes of symmetric memory that {@code body} allocates
     * @return what {@code body} does
     */
    public static <T> T run(World world, boolean onGpus, long bytes, BiFunction<DevicePe, Platform, T> body) {
        long heap = bytes + NvshmemCase.SPARE;
        if (!onGpus) {
            try (HostShmem shmem = HostShmem.init(world, heap);
                    DevicePe pe = new OnCpu(shmem)) {
                return body.apply(pe, Platform.of(world, "host"));
            }
        }
        try (Device device = Device.inTurn(world.localRank())) {
            Platform platform = Platform.of(world, "nvshmem", "NVSHMEM " + Nvshmem.version(), device);
            device.makeCurrent();
            try (Nvshmem shmem = Nvshmem.init(world, device, NvshmemCase.heap(heap));
                    DevicePe pe = new OnGpu(shmem)) {
                return body.apply(pe, platform);
            }
        }
    }

    /** Whether kernels here load and store in all PEs' memory; null, or what keeps them from it. */
    public abstract @Nullable String outOfReach();

    /** Collective: gives back what {@link #allocate} gave. */
    public static void free(Buffer memory) {
        try {
            ((AutoCloseable) memory).close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object[] with(Object[] arguments, int times) {
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = times;
        return all;
    }

    static final class OnGpu extends DevicePe {
        private final Nvshmem shmem;
        private final KernelCompiler<GpuKernel> compiler;
        private final Stream stream;
        private final Event start;
        private final Event stop;

        OnGpu(Nvshmem shmem) {
            super(shmem.myPe(), shmem.nPes());
            this.shmem = shmem;
            this.compiler = newCompiler();
            this.stream = shmem.device().newStream();
            this.start = shmem.device().newTimingEvent();
            this.stop = shmem.device().newTimingEvent();
        }

        @Override
        public @Nullable String outOfReach() {
            return shmem.outOfReach();
        }

        @Override
        public KernelCompiler<GpuKernel> compiler() {
            return compiler;
        }

        @Override
        KernelCompiler<GpuKernel> newCompiler() {
            return ShmemCompiler.of(shmem);
        }

        @Override
        public Buffer allocate(long bytes) {
            return shmem.allocate(DataType.UINT8, bytes, 256);
        }

        @Override
        public Buffer view(Buffer memory, DataType type, long count) {
            return ((DeviceArray) memory).slice(0, count * type.bytes()).view(type);
        }

        @Override
        public Repeated repeated(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            PreparedLaunch launch = ((GpuKernel) kernel).prepare(config, with(arguments, 1));
            return new Repeated() {
                @Override
                public void issue(int times) {
                    launch.set(arguments.length, times).launch(stream);
                }

                @Override
                public double micros(int times) {
                    launch.set(arguments.length, times);
                    stream.record(start);
                    launch.launch(stream);
                    stream.record(stop);
                    complete();
                    return stop.millisSince(start) * 1e3 / times;
                }
            };
        }

        @Override
        Runnable bare(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            // First the values, then where each is.
            MemorySegment memory = Arena.ofAuto().allocate(2L * Long.BYTES * arguments.length, Long.BYTES);
            MemorySegment parameters = memory.asSlice((long) Long.BYTES * arguments.length);
            for (int i = 0; i < arguments.length; i++) {
                memory.setAtIndex(
                        ValueLayout.JAVA_LONG,
                        i,
                        arguments[i] instanceof DeviceArray array
                                ? array.address()
                                : ((Number) arguments[i]).longValue());
                parameters.setAtIndex(ValueLayout.ADDRESS, i, memory.asSlice((long) Long.BYTES * i));
            }
            CUfunction function = ((GpuKernel) kernel).function().handle();
            CUstream queue = stream.handle();
            shmem.device().makeCurrent();
            return () -> LibCuda.cuLaunchKernel(
                    function,
                    config.gridX(),
                    config.gridY(),
                    config.gridZ(),
                    config.blockX(),
                    config.blockY(),
                    config.blockZ(),
                    config.sharedBytes(),
                    queue,
                    parameters,
                    MemorySegment.NULL);
        }

        @Override
        public void complete() {
            shmem.synchronize(stream);
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        public void close() {
            compiler.close();
            stream.close();
            start.close();
            stop.close();
        }
    }

    static final class OnCpu extends DevicePe {
        private final HostShmem shmem;
        private final KernelCompiler<CompiledKernel> compiler;

        OnCpu(HostShmem shmem) {
            super(shmem.myPe(), shmem.nPes());
            this.shmem = shmem;
            this.compiler = newCompiler();
        }

        @Override
        public @Nullable String outOfReach() {
            return null;
        }

        @Override
        public KernelCompiler<CompiledKernel> compiler() {
            return compiler;
        }

        @Override
        KernelCompiler<CompiledKernel> newCompiler() {
            return ShmemCompiler.of(shmem, CpuOptions.fast());
        }

        @Override
        public Buffer allocate(long bytes) {
            return shmem.allocate(DataType.UINT8, bytes);
        }

        @Override
        public Buffer view(Buffer memory, DataType type, long count) {
            return HostArray.wrap(((HostArray) memory).segment().asSlice(0, count * type.bytes()), type);
        }

        @Override
        public Repeated repeated(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            return new Repeated() {
                @Override
                public void issue(int times) {
                    kernel.launch(config, with(arguments, times));
                }

                @Override
                public double micros(int times) {
                    long begin = System.nanoTime();
                    issue(times);
                    return (System.nanoTime() - begin) / 1e3 / times;
                }
            };
        }

        @Override
        Runnable bare(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            return () -> kernel.launch(config, arguments);
        }

        @Override
        public void complete() {
            // Launches return when they have ended.
        }

        @Override
        void barrier() {
            shmem.barrierAll();
        }

        @Override
        public void close() {
            compiler.close();
        }
    }
}
