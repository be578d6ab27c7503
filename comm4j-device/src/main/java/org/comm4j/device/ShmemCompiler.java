// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Function;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/**
 * Makes kernels that communicate by themselves, with {@link Shmem}, {@link ShmemWarp} and {@link ShmemBlock}:
 *
 * <pre>{@code
 * @Kernel
 * static void ring(F32Ptr destination, F32Ptr source, long count, I64Ptr arrived) {
 *     int next = (Shmem.myPe() + 1) % Shmem.nPes();
 *     ShmemBlock.putSignal(destination, source, count, arrived, 1, SignalOp.SET, next);
 *     Shmem.signalWaitUntil(arrived, Comparison.EQ, 1);
 * }
 *
 * try (Nvshmem shmem = Nvshmem.init(world, gpu);
 *         KernelCompiler<GpuKernel> compiler = ShmemCompiler.of(shmem);
 *         GpuKernel ring = compiler.compile(Ring::ring)) {
 *     ring.launch(LaunchConfig.grid(1).block(256), stream, destination, source, n, arrived);
 *     shmem.synchronize(stream);
 * }
 * }</pre>
 *
 * <p>On a GPU a kernel is connected with NVSHMEM when it is loaded, and that is undone when it is closed, or {@link
 * Nvshmem#close} ends NVSHMEM; afterwards a launch is an {@link IllegalStateException}. Kernels that wait for other
 * blocks or PEs are launched cooperatively: all of their blocks run at the same time, and a grid for which there is no
 * room is an {@link IllegalArgumentException} with the largest one. Such kernels are launched by all PEs that they wait
 * for.
 *
 * <p>A kernel that waits in vain does not end. {@link Nvshmem#synchronize}, and a launch without a stream, wait {@link
 * Nvshmem#timeout} at most, and not for a PE that died; their exception names the kernel. Nothing but {@link
 * Nvshmem#close} is possible then, and the kernel runs until the process ends. On the CPU the wait itself throws.
 */
public final class ShmemCompiler {
    /**
     * {@code false} for kernels that have the ways over a network even if no PE needs them; {@code true} refuses PEs
     * that do.
     */
    static final String DIRECT = "org.comm4j.device.direct";

    private ShmemCompiler() {}

    /** For the GPU of this PE, with {@link CompileOptions#DEFAULT}. */
    public static KernelCompiler<GpuKernel> of(Nvshmem shmem) {
        nonNull(shmem, "ShmemCompiler.of", "shmem");
        return of(shmem, CompileOptions.DEFAULT);
    }

    /**
     * For the GPU of this PE. With {@link CompileOptions#withChecks} kernels look at PEs and symmetric addresses before
     * they use them. Where all PEs reach each other's memory ({@link Nvshmem#outOfReach}), kernels have no code for a
     * network, which makes them smaller and quicker to compile; the system property {@code org.comm4j.device.direct}
     * decides otherwise: {@code false} for kernels with that code, {@code true} for none without an alternative.
     *
     * @throws UnsupportedOperationException if headers of NVSHMEM or CUDA are missing; it says where they were looked
     *     for. Also if {@code org.comm4j.device.direct} is {@code true} and a PE is out of reach
     */
    public static KernelCompiler<GpuKernel> of(Nvshmem shmem, CompileOptions options) {
        nonNull(shmem, "ShmemCompiler.of", "shmem");
        nonNull(options, "ShmemCompiler.of", "options");
        boolean direct = isDirect(shmem.outOfReach());
        Connection connection = new Connection(shmem);
        DeviceUnit unit = NvshmemUnit.of(direct, Headers.folders(), connection).watchedBy(connection);
        return KernelCompiler.of(shmem.device(), options.with(unit));
    }

    /**
     * What {@link org.comm4j.kernel.KernelCode} needs to compile such kernels without a GPU, to look at what becomes of
     * them. Kernels of a compiler with these options cannot be loaded. They are as for PEs that all reach each other,
     * unless {@code -Dorg.comm4j.device.direct=false} is given.
     *
     * @throws UnsupportedOperationException if headers of NVSHMEM or CUDA are missing; it says where they were looked
     *     for
     */
    public static CompileOptions codeOptions(CompileOptions options) {
        nonNull(options, "codeOptions", "options");
        return options.with(NvshmemUnit.of(isDirect(null), Headers.folders(), module -> {
            throw new IllegalStateException("a kernel that calls NVSHMEM has to be connected with it: compile it with"
                    + " ShmemCompiler.of(Nvshmem)");
        }));
    }

    /**
     * Whether kernels get along without code for PEs over a network.
     *
     * @param outOfReach as of {@link Nvshmem#outOfReach}
     */
    static boolean isDirect(@Nullable String outOfReach) {
        String property = System.getProperty(DIRECT, "");
        return switch (property) {
            case "" -> outOfReach == null;
            case "false" -> false;
            case "true" -> {
                if (outOfReach != null) {
                    throw new UnsupportedOperationException("kernels without code for a network (-D" + DIRECT
                            + "=true) cannot run here: " + outOfReach + "; leave the property out");
                }
                yield true;
            }
            default ->
                throw new IllegalArgumentException("-D" + DIRECT + "=" + property + ": it is true, false, or left out");
        };
    }

    /** For the processors of this machine, with {@link CpuOptions#ofProcess}. */
    public static KernelCompiler<CompiledKernel> of(HostShmem shmem) {
        nonNull(shmem, "ShmemCompiler.of", "shmem");
        return of(shmem, CpuOptions.ofProcess());
    }

    /**
     * For the processors of this machine: the same kernels, thread by thread, with the embedded engine for their
     * communication. Each rank is a PE. Symmetric arrays are those of {@code shmem}; a wrong PE or address is an
     * exception in any mode.
     */
    public static KernelCompiler<CompiledKernel> of(HostShmem shmem, CpuOptions options) {
        nonNull(shmem, "ShmemCompiler.of", "shmem");
        nonNull(options, "ShmemCompiler.of", "options");
        return new OnCpu(CpuPe.of(shmem), KernelCompiler.cpu(options));
    }

    /** Loaded code is connected with NVSHMEM; launches do not wait longer than the PE does, nor for the dead. */
    record Connection(Nvshmem shmem) implements Function<CudaModule, Runnable>, DeviceUnit.LaunchWatch {
        @Override
        public Runnable apply(CudaModule module) {
            shmem.initModule(module);
            return () -> {
                // The end of NVSHMEM has done it already.
                if (shmem.isOpen()) {
                    shmem.finalizeModule(module);
                }
            };
        }

        @Override
        public void launched(String kernel, Stream stream) {
            shmem.waitsIn(stream, kernel);
        }

        @Override
        public void await(Stream stream) {
            shmem.synchronize(stream);
        }
    }

    private record OnCpu(CpuPe pe, KernelCompiler<CompiledKernel> compiler) implements KernelCompiler<CompiledKernel> {
        @Override
        public CompiledKernel compile(Method method, Object... constants) {
            return new CpuShmemKernel(pe, compiler.compile(method, constants));
        }

        @Override
        public CompiledKernel compileReference(KernelMethod kernel, Object... constants) {
            return new CpuShmemKernel(pe, compiler.compileReference(kernel, constants));
        }

        @Override
        public void close() {
            compiler.close();
        }
    }

    private record CpuShmemKernel(CpuPe pe, CompiledKernel kernel) implements CompiledKernel {
        CpuShmemKernel {
            Objects.requireNonNull(kernel, "kernel");
        }

        @Override
        public String name() {
            return kernel.name();
        }

        @Override
        public Method method() {
            return kernel.method();
        }

        @Override
        public KernelAttributes attributes() {
            return kernel.attributes();
        }

        @Override
        public int residentBlocks(int threadsPerBlock, int sharedBytes) {
            return kernel.residentBlocks(threadsPerBlock, sharedBytes);
        }

        @Override
        public void launch(LaunchConfig config, Object... arguments) {
            pe.check("launch of " + name());
            CpuContext.run(pe, () -> kernel.launch(config, arguments));
        }

        @Override
        public RepeatableLaunch prepare(LaunchConfig config, Object... arguments) {
            pe.check("launch of " + name());
            return CpuContext.call(pe, () -> kernel.prepare(config, arguments));
        }

        @Override
        public void close() {
            kernel.close();
        }

        @Override
        public String toString() {
            return kernel + " on PE " + pe.myPe + " of " + pe.nPes;
        }
    }
}
