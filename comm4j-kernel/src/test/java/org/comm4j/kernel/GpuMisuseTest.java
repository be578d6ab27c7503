// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Wrong launches on a GPU: refused before anything runs, and the device works on. What kills a context is in {@link
 * GpuFaultTest}.
 */
@Tag("gpu")
@Timeout(60)
class GpuMisuseTest {
    private Device device;
    private DeviceArray x;
    private GpuKernel scale;

    @Kernel
    static void scale(F32Ptr x, int n, float factor) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, x.get(i) * factor);
        }
    }

    @Kernel(maxThreads = 64)
    static void small(F32Ptr x) {
        x.set(ThreadIdx.x(), 1);
    }

    @Kernel
    static void waits(I32Ptr flag) {
        while (flag.getVolatile(0) == 0) {
            Gpu.nanosleep(1000);
        }
    }

    @Kernel
    static void divisions(I32Ptr ints, I64Ptr longs, I32Ptr intResults, I64Ptr longResults) {
        int i = ThreadIdx.x();
        int a = ints.get(2L * i);
        int b = ints.get(2L * i + 1);
        intResults.set(2L * i, a / b);
        intResults.set(2L * i + 1, a % b);
        long c = longs.get(2L * i);
        long d = longs.get(2L * i + 1);
        longResults.set(2L * i, c / d);
        longResults.set(2L * i + 1, c % d);
    }

    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    @BeforeEach
    void open() {
        device = Machine.gpu(CompileOptions.DEFAULT).open();
        x = device.allocate(DataType.FLOAT32, 4);
        x.copyFrom(HostArray.of(1f, 2f, 3f, 4f));
        scale = kernel("scale");
    }

    /** Whatever happened, the device works. */
    @AfterEach
    void stillWorks() {
        try (DeviceArray y = device.allocate(DataType.FLOAT32, 2)) {
            y.copyFrom(HostArray.of(3f, 4f));
            scale.launch(LaunchConfig.grid(1).block(2), y, 2, 2f);
            assertThat(y.toHost().toFloatArray()).containsExactly(6, 8);
        }
        scale.close();
        x.close();
    }

    private GpuKernel kernel(String name) {
        return Machine.gpu(CompileOptions.DEFAULT).kernel(GpuMisuseTest.class, name);
    }

    private static void refused(Class<? extends Exception> type, String words, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(type).hasMessageContaining(words);
    }

    @Test
    void argumentsThatDoNotFit() {
        WrongArguments.Memory memory = WrongArguments.Memory.of(device);
        WrongArguments.ofScale(scale, memory);
        try (GpuKernel sum = Machine.gpu(CompileOptions.DEFAULT).kernel(WrongArguments.class, "sum")) {
            WrongArguments.ofSum(sum, memory);
        }
        assertThat(x.toHost().toFloatArray()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void arraysAndKernelsThatAreClosed() {
        DeviceArray closed = device.allocate(DataType.FLOAT32, 4);
        F32Ptr pointer = F32Ptr.of(closed);
        closed.close();
        LaunchConfig config = LaunchConfig.forElements(4);
        refused(IllegalStateException.class, "was freed", () -> scale.launch(config, closed, 4, 2f));
        refused(IllegalStateException.class, "was freed", () -> scale.launch(config, pointer, 4, 2f));
        GpuKernel other = kernel("small");
        other.close();
        assertThatThrownBy(() -> other.launch(config, x)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shapesThatAreImpossible() {
        assertThatThrownBy(() -> LaunchConfig.grid(1).block(2048))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2048");
        assertThatThrownBy(() -> LaunchConfig.grid(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("grid of 0 x 1 x 1");
        try (GpuKernel small = kernel("small")) {
            assertThat(small.attributes().maxThreads()).isEqualTo(64);
            refused(
                    IllegalArgumentException.class,
                    "at most 64 threads per block",
                    () -> small.launch(LaunchConfig.grid(1).block(128), x));
        }
        refused(
                IllegalArgumentException.class,
                "bytes of dynamic shared memory",
                () -> scale.launch(LaunchConfig.grid(1).block(32).shared(1 << 20), x, 4, 2f));
        refused(
                IllegalArgumentException.class,
                "blocks of this shape run at the same time",
                () -> scale.launch(LaunchConfig.grid(1 << 20).block(1024).cooperatively(), x, 4, 2f));
        assertThat(x.toHost().toFloatArray()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aKernelThatDoesNotEndIsNamed() {
        try (GpuKernel waits = kernel("waits");
                PinnedArray flag = device.allocatePinned(DataType.INT32, 1)) {
            flag.setInt(0, 0);
            assertThatThrownBy(() -> waits.launch(LaunchConfig.grid(1), Duration.ofMillis(200), flag))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining(
                            "kernel GpuMisuseTest.waits (grid 1 x 1 x 1, block 1 x 1 x 1) still runs after");
            flag.setInt(0, 1);
            device.synchronize();
        }
    }

    /** Where Java throws, an unchecked kernel goes on with 0. */
    @Test
    void withoutChecksADivisionByZeroIsZero() {
        int min = Integer.MIN_VALUE;
        int[] given = {7, 0, -7, 0, min, 0, 0, 0, min, -1, 7, -1, -7, 2, min, min};
        int[] expected = {0, 0, 0, 0, 0, 0, 0, 0, min, 0, -7, 0, -3, -1, 1, 0};
        long[] wide = Arrays.stream(given)
                .mapToLong(n -> n == min ? Long.MIN_VALUE : n)
                .toArray();
        long[] expectedWide = Arrays.stream(expected)
                .mapToLong(n -> n == min ? Long.MIN_VALUE : n)
                .toArray();
        try (GpuKernel divisions = kernel("divisions");
                DeviceArray ints = device.allocate(DataType.INT32, given.length);
                DeviceArray longs = device.allocate(DataType.INT64, given.length);
                DeviceArray intResults = device.allocate(DataType.INT32, given.length);
                DeviceArray longResults = device.allocate(DataType.INT64, given.length)) {
            ints.copyFrom(HostArray.of(given));
            longs.copyFrom(HostArray.of(wide));
            divisions.launch(LaunchConfig.grid(1).block(given.length / 2), ints, longs, intResults, longResults);
            assertThat(intResults.toHost().toIntArray()).isEqualTo(expected);
            assertThat(longResults.toHost().toLongArray()).isEqualTo(expectedWide);
        }
    }

    @Test
    void preparedLaunchesAndOccupancy() {
        assertThat(scale.suggestedBlock()).isBetween(32, 1024);
        assertThat(scale.forElements(100_000).blocks() * scale.suggestedBlock()).isGreaterThanOrEqualTo(100_000);
        try (Stream stream = device.newStream()) {
            var launch = scale.prepare(LaunchConfig.forElements(4), x, 4, 2f);
            launch.launch(stream);
            launch.set(2, 0.5f).launch(stream);
            scale.prepare(LaunchConfig.forElements(2), F32Ptr.of(x, 2), 2, 10f).launch(stream);
            stream.synchronize();
        }
        assertThat(x.toHost().toFloatArray()).containsExactly(1, 2, 30, 40);
    }
}
