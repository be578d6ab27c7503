// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.kernel.ir.Build.parameter;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.ir.Build;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.launch.Parameter;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Gcc;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Launches on the driver of comm4j-cuda's tests, which has one kernel: {@code scale(float *x, int n, float factor)}.
 */
@Tag("stub")
class StubLaunchTest {
    private static Device device;
    private static GpuKernel scale;

    @SuppressWarnings("unused") // its signature is what is compiled
    static void scale(F32Ptr x, int n, float factor) {}

    @BeforeAll
    static void load() throws Exception {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        String library = System.getProperty("org.comm4j.cuda.library", "");
        assumeFalse(library.isEmpty(), "this JVM has no stub: the execution \"stub\" of the build is for this test");
        Gcc.sharedLibrary(Path.of("../comm4j-cuda/src/test/c/libcuda-stub.c"), Path.of(library));
        device = Device.of(0);
        Method method = StubLaunchTest.class.getDeclaredMethod("scale", F32Ptr.class, int.class, float.class);
        Build b = Build.kernel(
                "scale",
                parameter(0, Pointer.GENERIC, "x"),
                parameter(1, Scalar.I32, "n"),
                parameter(2, Scalar.F32, "factor"));
        b.ret();
        KernelCode code = KernelCode.of(
                method,
                b.program(),
                List.of(
                        new Parameter("x", F32Ptr.class, false, null),
                        new Parameter("n", int.class, false, null),
                        new Parameter("factor", float.class, false, null)),
                () -> Set.of(0),
                false,
                CudaArch.of(device.computeCapability()),
                CompileOptions.DEFAULT.withoutCache());
        scale = GpuKernel.load(device, code);
    }

    @AfterAll
    static void unload() {
        if (device != null) {
            scale.close();
            device.close();
        }
    }

    private static float[] values(DeviceArray array) {
        HostArray copy = HostArray.allocate(DataType.FLOAT32, array.count());
        array.copyTo(copy);
        return copy.segment().toArray(ValueLayout.JAVA_FLOAT);
    }

    @Test
    void launchesWithBuffersAndPointers() {
        try (DeviceArray x = device.allocate(DataType.FLOAT32, 4)) {
            x.copyFrom(HostArray.of(new float[] {1, 2, 3, 4}));
            scale.launch(LaunchConfig.forElements(4), x, 4, 2f);
            assertThat(values(x)).containsExactly(2, 4, 6, 8);
            scale.launch(LaunchConfig.forElements(4), F32Ptr.of(x, 2), 2, 10f);
            assertThat(values(x)).containsExactly(2, 4, 60, 80);
            try (Stream stream = device.newStream()) {
                scale.launch(LaunchConfig.forElements(4), stream, x, 1, 3f);
                PreparedLaunch prepared = scale.prepare(LaunchConfig.forElements(4), F32Ptr.of(x, 1), 1, 0.5f);
                prepared.launch(stream);
                prepared.set(2, 4f).launch(stream);
                stream.synchronize();
            }
            assertThat(values(x)).containsExactly(6, 8, 60, 80);
        }
    }

    @Test
    void whatIsWrongIsRefusedBeforeAnythingIsEnqueued() {
        LaunchConfig config = LaunchConfig.forElements(4);
        DeviceArray x = device.allocate(DataType.FLOAT32, 4);
        x.copyFrom(HostArray.of(new float[] {1, 2, 3, 4}));
        WrongArguments.ofScale(scale, WrongArguments.Memory.of(device));
        refused(
                IllegalArgumentException.class,
                "at most 512 threads per block",
                () -> scale.launch(LaunchConfig.grid(1).block(1024), x, 4, 2f));
        refused(
                IllegalArgumentException.class,
                "it would not wait for the kernel before it; call Grid.awaitPrevious() in it",
                () -> scale.prepare(config.dependently(), x, 4, 2f));
        assertThat(values(x)).containsExactly(1, 2, 3, 4);
        F32Ptr pointer = F32Ptr.of(x);
        PreparedLaunch prepared = scale.prepare(config, pointer, 4, 2f);
        x.close();
        refused(IllegalStateException.class, "parameter 1 'x': ", () -> scale.launch(config, x, 4, 2f));
        refused(IllegalStateException.class, "parameter 1 'x': ", () -> scale.launch(config, pointer, 4, 2f));
        try (Stream stream = device.newStream()) {
            refused(IllegalStateException.class, "was freed", () -> prepared.launch(stream));
        }
    }

    private static void refused(Class<? extends Exception> type, String words, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(type).hasMessageContaining(words);
    }

    @Test
    void attributesAndOccupancyAreTheDrivers() {
        assertThat(scale.attributes().maxThreads()).isEqualTo(512);
        assertThat(scale.suggestedBlock()).isEqualTo(512);
        assertThat(scale.forElements(1025)).isEqualTo(LaunchConfig.grid(3).block(512));
        assertThat(scale.name()).isEqualTo("StubLaunchTest.scale");
    }

    @Test
    void blocksAndNamesThatThereAreNotAreRefused() {
        for (int[] wrong : new int[][] {{32, -1}, {0, 0}, {-1, 0}, {513, 0}}) {
            refused(
                    IllegalArgumentException.class,
                    "kernel StubLaunchTest.scale has no blocks of " + wrong[0] + " threads with " + wrong[1] + " bytes",
                    () -> scale.residentBlocks(wrong[0], wrong[1]));
        }
        refused(
                IllegalArgumentException.class,
                "a name with a zero in it is none in C: 'scale?x'",
                () -> scale.module().function("scale\0x"));
    }

    @Test
    void aClosedCompilerCompilesNothing() {
        KernelCompiler<GpuKernel> compiler = KernelCompiler.of(device);
        compiler.close();
        refused(IllegalStateException.class, "was closed", () -> compiler.compile(scale.method()));
    }

    @Test
    void preparedLaunchesAllocateNothing() {
        try (DeviceArray x = device.allocate(DataType.FLOAT32, 4);
                Stream stream = device.newStream()) {
            x.copyFrom(HostArray.of(new float[4]));
            PreparedLaunch prepared = scale.prepare(LaunchConfig.forElements(4), F32Ptr.of(x), 4, 2f);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 2000; i++) {
                    prepared.set(2, 1f).launch(stream);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes of heap for 2000 launches").isLessThan(2000);
        }
    }

    @Test
    void aClosedKernelSaysSo() {
        GpuKernel other = GpuKernel.load(device, scale.code());
        other.close();
        assertThat(other).hasToString("GpuKernel[StubLaunchTest.scale on device 0, closed]");
        try (DeviceArray x = device.allocate(DataType.FLOAT32, 4)) {
            assertThatThrownBy(() -> other.launch(LaunchConfig.forElements(4), x, 4, 2f))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
