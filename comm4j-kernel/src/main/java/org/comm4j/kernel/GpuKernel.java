// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.CudaFunction;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.launch.Arguments;
import org.comm4j.kernel.launch.Packing;
import org.jspecify.annotations.Nullable;

/** A kernel on a GPU. Threads may share it. */
public final class GpuKernel implements CompiledKernel {
    private final KernelCode code;
    private final CudaModule module;
    private final CudaFunction function;
    private final Arguments arguments;
    private final Packing packing;
    /** Undoes what device units have done with the module; nothing after close. */
    private final Deque<Runnable> undo;
    /** Who looks after launches, of kernels that communicate. */
    private final DeviceUnit.@Nullable LaunchWatch watch;

    private final String announced;

    private GpuKernel(KernelCode code, CudaModule module, Deque<Runnable> undo) {
        this.code = code;
        this.module = module;
        this.undo = undo;
        this.function = module.function(code.symbol());
        this.arguments = code.arguments(this::unreachable);
        this.packing = code.packing();
        this.watch = watch(code);
        this.announced = "kernel " + name();
    }

    private static DeviceUnit.@Nullable LaunchWatch watch(KernelCode code) {
        for (DeviceUnit unit : code.deviceUnits()) {
            DeviceUnit.LaunchWatch watch = unit.watch();
            if (watch != null) {
                return watch;
            }
        }
        return null;
    }

    private @Nullable String unreachable(Buffer buffer) {
        return buffer instanceof HostArray
                        && !(buffer instanceof PinnedArray)
                        && !device().properties().pageableMemoryAccess()
                ? "is host memory that " + device()
                        + " cannot reach; use Device.allocatePinned, or copy it to a DeviceArray"
                : null;
    }

    private Object[] convert(Object... given) {
        return packing.pack(arguments.check(given));
    }

    /**
     * Loads a kernel's code onto a device ({@code cuModuleLoadDataEx}), and does with it what the device units in it
     * ask for ({@link DeviceUnit#whenLoaded}).
     */
    public static GpuKernel load(Device device, KernelCode code) {
        nonNull(device, "GpuKernel.load", "device");
        nonNull(code, "GpuKernel.load", "code");
        CudaModule module = CudaModule.load(device, code.cubin());
        Deque<Runnable> undo = new ArrayDeque<>();
        try {
            for (DeviceUnit unit : code.deviceUnits()) {
                undo.push(unit.setUp(module));
            }
            return new GpuKernel(code, module, undo);
        } catch (RuntimeException e) {
            close(module, undo);
            throw e;
        }
    }

    /** First nobody can launch it any more. */
    private static void close(CudaModule module, Deque<Runnable> undo) {
        module.close();
        synchronized (undo) {
            for (Runnable step = undo.poll(); step != null; step = undo.poll()) {
                step.run();
            }
        }
    }

    @Override
    public String name() {
        return code.name();
    }

    @Override
    public Method method() {
        return code.method();
    }

    public Device device() {
        return module.device();
    }

    /** The code that was loaded. */
    public KernelCode code() {
        return code;
    }

    /** The module that it is in, for libraries that want to know: NVSHMEM, NCCL. */
    public CudaModule module() {
        return module;
    }

    /** Returns the driver's function: occupancy, attributes. */
    public CudaFunction function() {
        return function;
    }

    /** As the driver says it. */
    @Override
    public KernelAttributes attributes() {
        return new KernelAttributes(
                function.attribute(LibCuda.CU_FUNC_ATTRIBUTE_NUM_REGS),
                function.attribute(LibCuda.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + code.sharedArrays(),
                function.attribute(LibCuda.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
                function.maxThreadsPerBlock());
    }

    /** {@code cuOccupancyMaxActiveBlocksPerMultiprocessor}, for all multiprocessors. */
    @Override
    public int residentBlocks(int threadsPerBlock, int sharedBytes) {
        if (threadsPerBlock < 1 || threadsPerBlock > function.maxThreadsPerBlock() || sharedBytes < 0) {
            throw new IllegalArgumentException("kernel " + name() + " has no blocks of " + threadsPerBlock
                    + " threads with " + sharedBytes + " bytes of shared memory: 1 to " + function.maxThreadsPerBlock()
                    + " threads, and 0 bytes or more");
        }
        return function.residentBlocks(threadsPerBlock, Math.addExact(sharedBytes, code.sharedArrays()));
    }

    /** Threads of a block with which the most of them run at the same time, without dynamic shared memory. */
    public int suggestedBlock() {
        return function.suggestedBlock(code.sharedArrays());
    }

    /** At least one thread for each of {@code count} elements, in blocks of the size with the best occupancy. */
    public LaunchConfig forElements(long count) {
        int block = suggestedBlock();
        long blocks = count <= 0 ? 1 : (count - 1) / block + 1;
        if (count < 0 || blocks > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("kernel " + name() + ": one thread for each of " + count
                    + " elements makes no grid; let threads loop");
        }
        return LaunchConfig.grid((int) blocks).block(block);
    }

    /**
     * Kernels that wait for other blocks or GPUs are launched so that all blocks run at the same time. Shared arrays of
     * more than 48 KiB are dynamic memory.
     */
    private LaunchConfig shape(LaunchConfig given) {
        nonNull(given, "launch", "config");
        if (given.dependent()
                && !code.awaitsPrevious()
                && device().computeCapability().number() >= 90) {
            throw new IllegalArgumentException("kernel " + name() + " cannot be launched as " + given
                    + ": it would not wait for the kernel before it; call Grid.awaitPrevious() in it before it reads"
                    + " what that one writes");
        }
        LaunchConfig config = code.cooperative() && !given.cooperative() ? given.cooperatively() : given;
        if (code.sharedArrays() == 0) {
            return config;
        }
        long all = (long) code.sharedArrays() + config.sharedBytes();
        int most = device().properties().maxSharedBytesPerBlock();
        if (all > most) {
            throw new IllegalArgumentException("kernel " + name() + " cannot be launched as " + given
                    + ": its shared arrays take " + code.sharedArrays() + " bytes of a block, so that it needs " + all
                    + ", and " + device() + " has " + most);
        }
        return config.shared((int) all);
    }

    /**
     * Runs it in a stream of its own. One that communicates ends with what its library throws when a peer died or the
     * library's limit is over.
     */
    @Override
    public void launch(LaunchConfig config, Object... given) {
        launch(config, Duration.ZERO, given);
    }

    /**
     * Runs it in a stream of its own, and waits no longer than that.
     *
     * @param timeout {@link Duration#ZERO} for as long as it takes, or as the library allows that it communicates with
     * @throws CommTimeoutException if it still runs then, with its name
     */
    public void launch(LaunchConfig config, Duration timeout, Object... given) {
        Object[] converted = convert(given);
        Stream stream = device().newStream();
        try {
            function.launch(shape(config), stream, converted);
            announce(stream);
            if (!timeout.isZero()) {
                stream.synchronize(timeout);
            } else if (watch != null) {
                watch.await(stream);
            } else {
                stream.synchronize();
            }
        } catch (CommTimeoutException e) {
            if (timeout.isZero()) {
                throw e;
            }
            CommTimeoutException named = new CommTimeoutException(
                    "kernel " + name() + " (" + config + ") still runs after " + timeout + ": " + e.getMessage());
            named.initCause(e);
            throw named;
        } catch (CudaException e) {
            KernelException failure = new KernelException(
                    "kernel " + name() + " (" + config + ") failed: " + e.getMessage() + asserted(e), e);
            try {
                stream.close();
            } catch (CudaException again) {
                // A context that is dead says so to everything; the first word is the one that counts.
                failure.addSuppressed(again);
            }
            throw failure;
        } finally {
            stream.close();
        }
    }

    /** Returns what has happened in words, where the kernel has found out itself that it cannot go on. */
    private static String asserted(CudaException e) {
        return e.status() == LibCuda.CUDA_ERROR_ASSERT
                ? "; a thread of it has come to an index outside of a view or array, a division by zero, or an assert"
                        + " that does not hold: which one, and its line, block and thread, the driver has printed to"
                        + " standard error. On the CPU, by KernelCompiler.cpu(), it is an exception, and nothing is lost"
                : "";
    }

    /**
     * Puts it into a stream ({@code cuLaunchKernelEx}); arguments are as in {@link CompiledKernel#launch}. Arrays must
     * stay open until the stream has passed it.
     */
    public void launch(LaunchConfig config, Stream stream, Object... given) {
        function.launch(shape(config), stream, convert(given));
        announce(stream);
    }

    private void announce(Stream stream) {
        if (watch != null && code.cooperative()) {
            watch.launched(announced, stream);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Arguments that {@link PreparedLaunch} is given later are not compared for {@link Restrict}, and a view that is
     * restricted counts there as two arguments, its pointer and its length.
     */
    @Override
    public PreparedLaunch prepare(LaunchConfig config, Object... given) {
        return function.prepare(shape(config), convert(given));
    }

    @Override
    public void close() {
        close(module, undo);
    }

    @Override
    public String toString() {
        return "GpuKernel[" + name() + " on " + device() + (module.isOpen() ? "]" : ", closed]");
    }
}
