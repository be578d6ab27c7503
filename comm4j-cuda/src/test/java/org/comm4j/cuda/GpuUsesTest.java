// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class GpuUsesTest extends UsesContract {
    private static final String SOURCE = """
            extern "C" __global__ void spin(volatile int *go) { while (!*go) { } }
            extern "C" __global__ void set(float *x, int n, float value) {
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              if (i < n) x[i] = value;
            }
            __device__ float variable[4];
            extern "C" __global__ void setVariable(float value) { variable[threadIdx.x] = value; }
            """;

    private static final LaunchConfig ONE = LaunchConfig.grid(1).block(1);

    @SuppressWarnings("NullAway.Init")
    private CudaModule module;

    @SuppressWarnings("NullAway.Init")
    private PinnedArray go;

    @BeforeAll
    static void require() {
        Gpu.require(1);
    }

    @BeforeEach
    void loadKernels() {
        module = CudaModule.load(device, Nvrtc.compile(SOURCE, "uses.cu", device));
        go = device.allocatePinned(DataType.INT32, 1);
        // What is launched for the first time may wait for the device.
        go.setInt(0, 1);
        module.function("spin").launch(ONE, stream, go);
        module.function("setVariable").launch(ONE.block(4), stream, 0f);
        stream.synchronize();
        device.allocate(DataType.FLOAT32, 1).close();
    }

    @Override
    Stall stall(Stream stream) {
        go.setInt(0, 0);
        module.function("spin").launch(ONE, stream, go);
        return () -> go.setInt(0, 1);
    }

    @Test
    void aKernelsArgumentsAndVariablesAreWaitedFor() throws Exception {
        CudaFunction set = module.function("set");
        CudaFunction setVariable = module.function("setVariable");
        DeviceArray variable = module.global("variable", DataType.FLOAT32);
        try (DeviceArray x = device.allocate(DataType.FLOAT32, 1000)) {
            set.launch(LaunchConfig.forElements(1000), stream, x, 1000, 1f);
            assertThat(x.toHost().getFloat(999)).isEqualTo(1);
            CompletableFuture<Float> last;
            CompletableFuture<Float> first;
            try (Stall _ = stall(stream)) {
                set.launch(LaunchConfig.forElements(1000), stream, x, 1000, 2f);
                setVariable.launch(ONE.block(4), stream, 3f);
                last = CompletableFuture.supplyAsync(() -> x.toHost().getFloat(999));
                first = CompletableFuture.supplyAsync(() -> variable.toHost().getFloat(0));
                Thread.sleep(100);
                assertThat(last).isNotDone();
                assertThat(first).isNotDone();
            }
            assertThat(last.get(20, SECONDS)).isEqualTo(2);
            assertThat(first.get(20, SECONDS)).isEqualTo(3);
        }
    }

    /** A module that is closed while its kernel runs stays until that has ended. */
    @Test
    void runningCodeIsNotUnloaded() {
        try (Stall _ = stall(stream)) {
            module.close();
            assertThat(module.isOpen()).isFalse();
        }
        stream.synchronize(Duration.ofSeconds(20));
        device.allocate(DataType.FLOAT32, 1).close();
        assertThat(device.heap().pending()).isZero();
    }
}
