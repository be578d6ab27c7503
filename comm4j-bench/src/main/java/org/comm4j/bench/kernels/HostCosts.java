// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;

/**
 * What the host pays. Times of compiling are of the product of matrices.
 *
 * @param coldMillis the first compilation in this process, without the cache on disk
 * @param warmMillis the least of many more
 * @param cachedMillis the least with the machine code in the cache
 * @param launchMicros a prepared launch; NaN without a GPU
 * @param bareMicros the driver's {@code cuLaunchKernel} through the binding, of the same kernel; NaN without a GPU
 */
public record HostCosts(
        double coldMillis, double warmMillis, double cachedMillis, double launchMicros, double bareMicros) {
    private static final String KERNEL = "product";
    private static final int COMPILATIONS = 40;
    private static final int ROUNDS = 40;
    private static final int LAUNCHES = 500;

    /** Of compiling alone; comes first in a process, or nothing is cold. */
    public static HostCosts ofCompiling(CudaArch arch) {
        CompileOptions uncached = CompileOptions.DEFAULT.withoutCache();
        double cold = millis(arch, uncached);
        double warm = Double.MAX_VALUE;
        for (int i = 0; i < COMPILATIONS; i++) {
            warm = Math.min(warm, millis(arch, uncached));
        }
        millis(arch, CompileOptions.DEFAULT);
        double cached = Double.MAX_VALUE;
        for (int i = 0; i < COMPILATIONS; i++) {
            cached = Math.min(cached, millis(arch, CompileOptions.DEFAULT));
        }
        return new HostCosts(cold, warm, cached, Double.NaN, Double.NaN);
    }

    private static double millis(CudaArch arch, CompileOptions options) {
        Method method = KernelBench.method(KERNEL);
        long begin = System.nanoTime();
        byte[] cubin = KernelCode.compile(method, arch, options).cubin();
        long end = System.nanoTime();
        if (cubin.length == 0) {
            throw new IllegalStateException("the compiler has made nothing of " + KERNEL);
        }
        return (end - begin) / 1e6;
    }

    /** The same, and of launching: a kernel that does nothing, {@value #LAUNCHES} times, in turns; the least counts. */
    public HostCosts withLaunches(Device device) {
        KernelCode code = KernelCode.compile(
                KernelBench.method("copy"), CudaArch.of(device.computeCapability()), CompileOptions.DEFAULT);
        try (GpuKernel kernel = GpuKernel.load(device, code);
                DeviceArray array = device.allocate(DataType.FLOAT32, 4);
                Stream stream = device.newStream();
                Arena arena = Arena.ofConfined()) {
            PreparedLaunch prepared = kernel.prepare(LaunchConfig.grid(1).block(32), 0, array, array);
            MemorySegment values = arena.allocate(24, 8);
            values.set(ValueLayout.JAVA_LONG, 8, array.address());
            values.set(ValueLayout.JAVA_LONG, 16, array.address());
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS, 3);
            for (int i = 0; i < 3; i++) {
                parameters.setAtIndex(ValueLayout.ADDRESS, i, values.asSlice(8L * i));
            }
            double launch = Double.MAX_VALUE;
            double bare = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                stream.synchronize();
                long begin = System.nanoTime();
                for (int i = 0; i < LAUNCHES; i++) {
                    prepared.launch(stream);
                }
                long middle = System.nanoTime();
                stream.synchronize();
                device.makeCurrent();
                long again = System.nanoTime();
                for (int i = 0; i < LAUNCHES; i++) {
                    LibCuda.cuLaunchKernel(
                            kernel.function().handle(),
                            1,
                            1,
                            1,
                            32,
                            1,
                            1,
                            0,
                            stream.handle(),
                            parameters,
                            MemorySegment.NULL);
                }
                bare = Math.min(bare, (System.nanoTime() - again) / 1e3 / LAUNCHES);
                launch = Math.min(launch, (middle - begin) / 1e3 / LAUNCHES);
            }
            stream.synchronize();
            return new HostCosts(coldMillis, warmMillis, cachedMillis, launch, bare);
        }
    }
}
