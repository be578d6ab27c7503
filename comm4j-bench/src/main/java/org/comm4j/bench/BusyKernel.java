// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;

/** A kernel that takes some time and writes a number; compiled when it is first launched. */
final class BusyKernel implements AutoCloseable {
    private final Device device;
    private final PerftestSettings.Busy busy;
    private @Nullable GpuKernel kernel;
    private @Nullable PreparedLaunch prepared;

    @Kernel
    static void busy(I64Ptr out, long cycles) {
        long begin = Gpu.clock();
        long passed = 0;
        while (passed < cycles) {
            passed = Gpu.clock() - begin;
        }
        out.set(0, passed);
    }

    BusyKernel(Device device, PerftestSettings.Busy busy) {
        this.device = device;
        this.busy = busy;
    }

    /** Writes into the first 8 bytes of {@code memory}, which is always the same. */
    void launch(DeviceArray memory, Stream stream) {
        PreparedLaunch launch = prepared;
        if (launch == null) {
            try (KernelCompiler<GpuKernel> compiler = KernelCompiler.of(device)) {
                kernel = compiler.compile(BusyKernel::busy);
            }
            launch = kernel.prepare(
                    LaunchConfig.grid(busy.blocks()).block(busy.threads()),
                    memory.slice(0, Long.BYTES).view(DataType.INT64),
                    busy.cycles());
            prepared = launch;
        }
        launch.launch(stream);
    }

    @Override
    public void close() {
        if (kernel != null) {
            kernel.close();
        }
    }
}
