// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/**
 * Compiles, loads, launches and closes a kernel again and again, and prints the growth of this process's memory in
 * bytes a cycle. The first argument is the number of cycles, the second whether they take code from the cache.
 */
final class KernelCycles {
    private KernelCycles() {}

    @Kernel
    static void scale(F32Ptr x, int n, float factor) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, x.get(i) * factor);
        }
    }

    private static void cycles(Device device, DeviceArray x, CompileOptions options, int count) {
        for (int i = 0; i < count; i++) {
            try (KernelCompiler<GpuKernel> compiler = KernelCompiler.of(device, options);
                    GpuKernel kernel = compiler.compile(KernelCycles::scale)) {
                kernel.launch(LaunchConfig.forElements(1000), x, 1000, 2f);
            }
        }
    }

    private static long residentBytes() throws IOException {
        return 4096
                * Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1]);
    }

    public static void main(String[] arguments) throws IOException {
        int count = Integer.parseInt(arguments[0]);
        CompileOptions options =
                Boolean.parseBoolean(arguments[1]) ? CompileOptions.DEFAULT : CompileOptions.DEFAULT.withoutCache();
        try (Device device = Device.of(0);
                DeviceArray x = device.allocate(DataType.FLOAT32, 1000)) {
            cycles(device, x, options, count);
            long before = residentBytes();
            long free = device.freeMemory();
            cycles(device, x, options, count);
            System.out.println("host: " + (residentBytes() - before) / count);
            System.out.println("device: " + (free - device.freeMemory()) / count);
        }
        System.out.println("end");
    }
}
