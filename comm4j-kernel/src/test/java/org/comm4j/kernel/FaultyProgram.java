// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.lang.reflect.Method;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.test.Natives;

/** A program for {@link GpuFaultTest}: runs the kernel that its argument names, and says what became of it and of the device. */
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
     * @param args the kernel's name, and "checked" or "unchecked"
     */
    public static void main(String[] args) {
        Natives.use();
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
            }
        }
        System.out.println("end");
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
