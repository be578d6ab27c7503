// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I32View;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.test.Natives;

/**
 * A program for {@link GpuFaultTest}: runs the kernel that its argument names, and says what became of it and of the
 * device.
 */
public final class FaultyProgram {
    private FaultyProgram() {}

    @Kernel
    static void prints(I32Ptr out) {
        if (ThreadIdx.x() == 3) {
            Gpu.printf("thread %d of %d: %.2f %s%%\n", ThreadIdx.x(), BlockDim.x(), 1.5, "words");
        }
        out.set(0, 1);
    }

    @Kernel
    static void traps(I32Ptr out) {
        if (ThreadIdx.x() == 5) {
            Gpu.trap();
        }
        out.set(0, 1);
    }

    @Kernel
    static void strays(I32Ptr out) {
        out.set(1L << 45, ThreadIdx.x());
    }

    @Kernel
    static void asserts(I32Ptr out) {
        assert ThreadIdx.x() != 7 : "not the seventh";
        out.set(0, 1);
    }

    @Kernel
    static void divides(I32Ptr out) {
        out.set(0, 100 / (ThreadIdx.x() - 9));
    }

    @Kernel
    static void leavesTheView(I32View out) {
        out.set(ThreadIdx.x(), 1);
    }

    @Kernel
    static void fine(I32Ptr out) {
        out.set(0, 42);
    }

    /**
     * Runs one.
     *
     * @param args the kernel's name, and "checked" or "unchecked"; or "lives", and the name of one that another process
     *     runs
     */
    public static void main(String[] args) {
        Natives.use();
        if (args[0].equals("lives")) {
            lives(args[1]);
            return;
        }
        boolean checked = args[1].equals("checked");
        CompileOptions options = checked ? CompileOptions.DEFAULT.withChecks() : CompileOptions.DEFAULT;
        try (Device device = Device.of(0);
                DeviceArray out = device.allocate(DataType.INT32, 4)) {
            run("first", device, options, args[0], out);
            run("second", device, options, "fine", out);
        } catch (CudaException e) {
            System.out.println("closing: " + e.getMessage());
        }
        if (Cuda.deviceCount() > 1) {
            try (Device other = Device.of(1);
                    DeviceArray out = other.allocate(DataType.INT32, 1)) {
                run("other", other, options, "fine", out);
            } catch (CudaException e) {
                System.out.println("other: " + e.getMessage());
            }
        }
        System.out.println("end");
    }

    /** Works on all devices before, while and after another process fails on device 0. */
    private static void lives(String how) {
        List<Device> devices =
                IntStream.range(0, Cuda.deviceCount()).mapToObj(Device::of).toList();
        devices.forEach(device -> fine("before", device));
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            FaultyProgram.class.getName(),
                            how,
                            "checked")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            System.out.println("another failed: " + said.contains("first: KernelException"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        devices.forEach(device -> fine("after", device));
        devices.forEach(Device::close);
        System.out.println("end");
    }

    private static void fine(String what, Device device) {
        try (DeviceArray out = device.allocate(DataType.INT32, 1)) {
            run(what + " " + device.ordinal(), device, CompileOptions.DEFAULT, "fine", out);
        }
    }

    private static void run(String what, Device device, CompileOptions options, String name, DeviceArray out) {
        Method method = Machine.method(FaultyProgram.class, name);
        try (CompiledKernel kernel = KernelCompiler.of(device, options).compile(method)) {
            kernel.launch(LaunchConfig.grid(1).block(32), out);
            System.out.println(what + ": " + out.toHost().getInt(0));
        } catch (CudaException | KernelException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
}
