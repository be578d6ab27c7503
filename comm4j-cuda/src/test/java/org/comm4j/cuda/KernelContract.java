// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With {@code scale(float *x, int n, float factor)}, which multiplies, and {@code float table[4]}. */
abstract class KernelContract extends CudaContract {
    static final String SOURCE = """
            __device__ float table[4];
            extern "C" __global__ void scale(float *x, int n, float factor) {
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              if (i < n) x[i] *= factor;
            }
            """;

    @SuppressWarnings("NullAway.Init")
    CudaModule module;

    @SuppressWarnings("NullAway.Init")
    CudaFunction scale;

    @SuppressWarnings("NullAway.Init")
    DeviceArray x;

    abstract byte[] image();

    @BeforeEach
    void load() {
        module = CudaModule.load(device, image());
        scale = module.function("scale");
        x = device.allocate(DataType.FLOAT32, 1000);
        x.fill(3);
    }

    @AfterEach
    void unload() {
        module.close();
    }

    private static final LaunchConfig CONFIG = LaunchConfig.forElements(1000);

    private void assertX(float value) {
        stream.synchronize();
        assertThat(x.toHost().toFloatArray()).containsOnly(value);
    }

    @Test
    void aKernelRuns() {
        scale.launch(CONFIG, stream, x, 1000, 2f);
        assertX(6);
        scale.launch(CONFIG.cooperatively(), stream, x, 1000, 2f);
        assertX(12);
        scale.launch(LaunchConfig.grid(8).block(128).cluster(2), stream, x, 1000, 0.5f);
        assertX(6);
        scale.launch(LaunchConfig.grid(16).block(128).cluster(16), stream, x, 1000, 0.5f);
        assertX(3);
        scale.launch(CONFIG.shared(100 << 10), stream, x, 1000, 2f);
        assertX(6);
        assertThat(scale.name()).isEqualTo("scale");
        assertThat(scale.blocksPerMultiprocessor(256, 0)).isPositive();
    }

    @Test
    void aPreparedLaunchIsRepeatedWithOtherArguments() {
        PreparedLaunch launch = scale.prepare(CONFIG, x, 1000, 2f);
        launch.launch(stream);
        launch.set(2, 5f).launch(stream);
        assertX(30);
        launch.set(1, 0).launch(stream);
        assertX(30);
        DeviceArray y = device.allocate(DataType.FLOAT32, 1000);
        y.fill(1);
        launch.set(0, y).set(1, 1000).launch(stream);
        stream.synchronize();
        assertThat(y.toHost().toFloatArray()).containsOnly(5);
        y.close();
        assertThatThrownBy(() -> launch.launch(stream))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("argument 0 of kernel scale")
                .hasMessageContaining("freed");
        launch.set(0, x.address()).launch(stream);
        assertX(150);
        RepeatableLaunch waiting = launch.set(2, 0.5f);
        waiting.launch();
        assertThat(x.toHost().toFloatArray()).containsOnly(75);
        waiting.set(2, 2f).launch();
        assertX(150);
        assertThatThrownBy(() -> launch.set(1, 7L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> launch.set(3, 7)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void pinnedMemoryIsUsedInPlace() {
        try (PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 1000)) {
            pinned.fill(2);
            scale.launch(CONFIG, stream, pinned, 1000, 4f);
            stream.synchronize();
            assertThat(pinned.toFloatArray()).containsOnly(8);
            scale.prepare(CONFIG, x, 1000, 0.5f).set(0, pinned).launch(stream);
            stream.synchronize();
            assertThat(pinned.toFloatArray()).containsOnly(4);
        }
    }

    @Test
    void structsAreMemorySegments() {
        try (Arena arena = Arena.ofConfined()) {
            scale.launch(CONFIG, stream, x, arena.allocateFrom(JAVA_INT, 1000), MemorySegment.ofArray(new float[] {2}));
        }
        assertX(6);
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThat(scale.parameterCount()).isEqualTo(3);
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, 1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kernel scale has 3 parameters, but 2 arguments");
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, 1000L, 2f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("argument 1 of kernel scale has 8 bytes, but the parameter has 4");
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, 1000, 2.0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, "x", 1000, 2f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, null, 2f))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("argument 1");
        assertThatThrownBy(() -> scale.launch(LaunchConfig.grid(1).block(1).shared(1 << 20), stream, x, 1, 2f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shared memory");
        assertThatThrownBy(
                        () -> scale.launch(LaunchConfig.grid(1 << 20).block(256).cooperatively(), stream, x, 1, 2f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run at the same time");
        x.close();
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, 1000, 2f))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed");
    }

    @Test
    void pageableHostMemoryIsRefusedWhereTheDeviceCannotReachIt() {
        HostArray host = HostArray.allocate(DataType.FLOAT32, 1000);
        if (!device.properties().pageableMemoryAccess()) {
            assertThatThrownBy(() -> scale.launch(CONFIG, stream, host, 1000, 2f))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allocatePinned");
        }
    }

    @Test
    void variablesAreArrays() {
        DeviceArray table = module.global("table", DataType.FLOAT32);
        assertThat(table.count()).isEqualTo(4);
        table.copyFrom(HostArray.of(1f, 2f, 3f, 4f));
        assertThat(table.toHost().toFloatArray()).containsExactly(1, 2, 3, 4);
        table.close();
        assertThat(module.kernelNames()).contains("scale");
        assertThat(module.isOpen()).as("closing the view does nothing").isTrue();
        assertThatThrownBy(() -> module.global("no", DataType.FLOAT32)).isInstanceOf(IllegalArgumentException.class);
        module.close();
        assertThat(table.isAlive()).isFalse();
    }

    @Test
    void unknownKernelsAndUnloadedModulesAreRefused() {
        assertThatThrownBy(() -> module.function("scales"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("scales")
                .hasMessageContaining("it has scale")
                .hasMessageContaining("extern \"C\"");
        PreparedLaunch launch = scale.prepare(CONFIG, x, 1000, 2f);
        module.close();
        assertThatThrownBy(() -> launch.launch(stream)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, 1000, 2f)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> module.function("scale"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("module on device 0 was closed");
    }

    @Test
    void whatIsNoModuleIsRefused() {
        assertThatThrownBy(() -> CudaModule.load(device, new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CudaModule.load(device, "no code".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither a cubin");
        byte[] elf = new byte[200];
        System.arraycopy(new byte[] {0x7f, 'E', 'L', 'F'}, 0, elf, 0, 4);
        elf[41] = 100;
        assertThatThrownBy(() -> CudaModule.load(device, elf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cut off");
        // Many sections: the number has no sign.
        elf[58] = 64;
        elf[61] = (byte) 0x9c;
        assertThatThrownBy(() -> CudaModule.load(device, elf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("200 of 2581504 bytes");
        byte[] fat = new byte[20];
        System.arraycopy(new byte[] {0x50, (byte) 0xed, 0x55, (byte) 0xba, 1, 0, 16, 0, 100}, 0, fat, 0, 9);
        assertThatThrownBy(() -> CudaModule.load(device, fat))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("20 of 116 bytes");
        String broken = ".version 8.0\n.target sm_90\nbroken {";
        assertThatThrownBy(() -> CudaModule.load(device, broken.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("line 3");
    }

    /** What was refused has changed nothing: the launch still looks after the array that it has. */
    @Test
    void anArgumentThatIsRefusedLeavesTheOneBefore() {
        DeviceArray y = device.allocate(DataType.FLOAT32, 1000);
        PreparedLaunch launch = scale.prepare(CONFIG, y, 1000, 2f);
        DeviceArray freed = device.allocate(DataType.FLOAT32, 1000);
        freed.close();
        assertThatThrownBy(() -> launch.set(0, freed)).isInstanceOf(IllegalStateException.class);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_LONG, x.address());
            assertThatThrownBy(() -> launch.set(0, new KernelArgument(bytes, List.of(x, freed))))
                    .isInstanceOf(IllegalStateException.class);
        }
        y.fill(1);
        launch.launch(stream);
        stream.synchronize();
        assertThat(y.toHost().toFloatArray()).containsOnly(2);
        y.close();
        assertThatThrownBy(() -> launch.launch(stream))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("argument 0 of kernel scale");
    }

    @Test
    void objectsOfOneKernelDoNotTakeSharedMemoryFromEachOther() {
        CudaFunction again = module.function("scale");
        PreparedLaunch large = scale.prepare(CONFIG.shared(100 << 10), x, 1000, 2f);
        again.launch(CONFIG.shared(60 << 10), stream, x, 1000, 2f);
        large.launch(stream);
        assertX(12);
    }

    @Test
    void aGraphOfAnUnloadedModuleIsNotLaunched() {
        try (Graph graph = Graph.capture(stream, () -> scale.launch(CONFIG, stream, x, 1000, 2f));
                GraphExec exec = graph.instantiate()) {
            exec.launch(stream);
            assertX(6);
            module.close();
            assertThatThrownBy(() -> exec.launch(stream)).isInstanceOf(IllegalStateException.class);
        }
    }
}
