// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.IdentityHashMap;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.jspecify.annotations.Nullable;

/**
 * Where the kernels of a test run. Their arrays are the host's; a GPU gets copies, and what it has written is copied
 * back.
 */
public sealed interface Machine {
    KernelCompiler<?> compiler();

    /** Runs a kernel to its end. */
    void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments);

    /** The kernel of this name. */
    default CompiledKernel kernel(Class<?> type, String name, Object... constants) {
        return compiler().compile(method(type, name), constants);
    }

    /** The method of this name. */
    static Method method(Class<?> type, String name) {
        return KernelMethod.named(type, name);
    }

    static Machine cpu(CpuOptions options) {
        return new Cpu(options, KernelCompiler.cpu(options));
    }

    /** The first GPU; the test is skipped where there is none, or no compilers. */
    static Gpu gpu(CompileOptions options) {
        requireGpu();
        return new Gpu(options, Gpu.device());
    }

    /** Skips the test where there is no GPU, or no compilers. */
    static void requireGpu() {
        Natives.use();
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    /** The processors of this machine. */
    record Cpu(CpuOptions options, KernelCompiler<CompiledKernel> compiler) implements Machine {
        @Override
        public void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            kernel.launch(config, arguments);
        }

        @Override
        public String toString() {
            return options.toString();
        }
    }

    /** The first GPU. */
    final class Gpu implements Machine {
        /** Stays open between tests, because making a context takes long. */
        private static @Nullable Device opened;

        private final CompileOptions options;
        private final Device device;
        private final KernelCompiler<GpuKernel> compiler;

        private Gpu(CompileOptions options, Device device) {
            this.options = options;
            this.device = device;
            this.compiler = KernelCompiler.of(device, options);
        }

        private static synchronized Device device() {
            Device open = opened;
            if (open == null) {
                open = Device.of(0);
                opened = open;
            }
            return open;
        }

        /** The device that kernels are compiled for. */
        public Device open() {
            return device;
        }

        @Override
        public KernelCompiler<GpuKernel> compiler() {
            return compiler;
        }

        @Override
        public GpuKernel kernel(Class<?> type, String name, Object... constants) {
            return compiler.compile(Machine.method(type, name), constants);
        }

        @Override
        public void launch(CompiledKernel kernel, LaunchConfig config, Object... arguments) {
            IdentityHashMap<HostArray, DeviceArray> copies = new IdentityHashMap<>();
            try {
                Object[] there = arguments.clone();
                for (int i = 0; i < there.length; i++) {
                    if (there[i] instanceof HostArray array) {
                        there[i] = copies.computeIfAbsent(array, this::copy);
                    }
                }
                kernel.launch(config, there);
                copies.forEach((array, copy) -> copy.copyTo(array));
            } finally {
                copies.values().forEach(DeviceArray::close);
            }
        }

        private DeviceArray copy(HostArray array) {
            DeviceArray copy = device.allocate(array.type(), array.count());
            copy.copyFrom(array);
            return copy;
        }

        @Override
        public String toString() {
            return device + (options.checked() ? ", checked" : "");
        }
    }
}
