// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.DataType;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/** A kernel that takes some time and writes a number; compiled when it is first launched. */
final class BusyKernel implements AutoCloseable {
    private static final String SOURCE = """
            extern "C" __global__ void busy(long long* out, long long cycles) {
                const long long begin = clock64();
                long long passed = 0;
                while (passed < cycles) {
                    passed = clock64() - begin;
                }
                *out = passed;
            }
            """;

    private final Device device;
    private final PerftestSettings.Busy busy;
    private @Nullable CudaModule module;
    private @Nullable PreparedLaunch prepared;

    BusyKernel(Device device, PerftestSettings.Busy busy) {
        this.device = device;
        this.busy = busy;
    }

    /** Writes into the first 8 bytes of {@code memory}, which is always the same. */
    void launch(DeviceArray memory, Stream stream) {
        PreparedLaunch launch = prepared;
        if (launch == null) {
            CudaModule compiled = CudaModule.load(device, Nvrtc.compile(SOURCE, "busy.cu", device));
            module = compiled;
            launch = compiled.kernel("busy")
                    .prepare(
                            LaunchConfig.grid(busy.blocks()).block(busy.threads()),
                            memory.slice(0, Long.BYTES).view(DataType.INT64),
                            busy.cycles());
            prepared = launch;
        }
        launch.launch(stream);
    }

    @Override
    public void close() {
        if (module != null) {
            module.close();
        }
    }
}
