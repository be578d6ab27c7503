// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the code of {@link KernelContract}. */
abstract class LibraryContract extends CudaContract {
    private static final LaunchConfig CONFIG = LaunchConfig.forElements(1000);

    @SuppressWarnings("NullAway.Init")
    CudaLibrary library;

    abstract byte[] image();

    @BeforeEach
    void load() {
        library = CudaLibrary.load(image());
    }

    @AfterEach
    void unload() {
        library.close();
    }

    /** Runs the library's kernel there. */
    void assertRuns(Device on) {
        try (Stream there = on.newStream();
                DeviceArray x = on.allocate(DataType.FLOAT32, 1000)) {
            x.fill(3);
            library.on(on).function("scale").launch(CONFIG, there, x, 1000, 2f);
            there.synchronize();
            assertThat(x.toHost().toFloatArray()).containsOnly(6);
        }
    }

    @Test
    void kernelsRun() {
        assertRuns(device);
        assertThat(library.on(device)).isSameAs(library.on(device));
        assertThat(library.on(device).device()).isSameAs(device);
        assertThat(library.on(device).function("scale").parameterCount()).isEqualTo(3);
        assertThat(library.handle().isNull()).isFalse();
    }

    @Test
    void variablesAreArrays() {
        DeviceArray table = library.on(device).global("table", DataType.FLOAT32);
        table.copyFrom(HostArray.of(1f, 2f, 3f, 4f));
        assertThat(library.on(device).global("table", DataType.FLOAT32).toHost().toFloatArray())
                .containsExactly(1, 2, 3, 4);
        assertThatThrownBy(() -> library.on(device).global("no", DataType.FLOAT32))
                .isInstanceOf(IllegalArgumentException.class);
        library.close();
        assertThat(table.isAlive()).isFalse();
    }

    @Test
    void anUnknownKernelIsToldWithThoseThatThereAre() {
        assertThat(library.kernelNames())
                .contains("scale")
                .isEqualTo(library.on(device).kernelNames());
        assertThatThrownBy(() -> library.on(device).function("nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no kernel 'nothing'")
                .hasMessageContaining("it has scale");
    }

    @Test
    void aDeviceThatClosesTakesItsPartAlong() {
        Device other = Device.of(0);
        CudaModule module = library.on(other);
        other.close();
        assertThat(module.isOpen()).isFalse();
        assertThatThrownBy(() -> library.on(other)).isInstanceOf(IllegalStateException.class);
        assertRuns(device);
        library.on(device).close();
        assertThat(library.on(device).isOpen())
                .as("closing the part does nothing")
                .isTrue();
    }

    @Test
    void whatWasKeptIsGivenBackOnce() {
        Runnable giveBack = library.keep();
        giveBack.run();
        assertThatThrownBy(giveBack::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was given back already");
        assertRuns(device);
        Runnable ofPart = library.on(device).keep();
        ofPart.run();
        assertThatThrownBy(ofPart::run).isInstanceOf(IllegalStateException.class);
        assertRuns(device);
    }

    @Test
    void afterCloseNothingWorks() {
        CudaFunction scale = library.on(device).function("scale");
        CudaModule module = library.on(device);
        library.close();
        library.close();
        assertThat(library.isOpen()).isFalse();
        assertThat(library.toString()).contains("closed");
        try (DeviceArray x = device.allocate(DataType.FLOAT32, 1000)) {
            assertThatThrownBy(() -> scale.launch(CONFIG, stream, x, 1000, 2f))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("library on device 0 was closed");
        }
        assertThatThrownBy(() -> module.function("scale")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> library.on(device)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(library::kernelNames).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatIsNoCodeIsRefused() {
        assertThatThrownBy(() -> CudaLibrary.load("no code".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither a cubin");
        byte[] broken = ".version 8.0\n.target sm_90\nbroken {".getBytes(StandardCharsets.UTF_8);
        // A driver that compiles when it must says so no earlier.
        assertThatThrownBy(() -> {
                    try (CudaLibrary late = CudaLibrary.load(broken)) {
                        late.on(device);
                    }
                })
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("load a library of " + broken.length + " bytes");
    }
}
