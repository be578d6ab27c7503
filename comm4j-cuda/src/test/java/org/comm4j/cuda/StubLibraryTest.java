// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubLibraryTest extends LibraryContract {
    @BeforeAll
    static void loadDriver() {
        StubDriver.load();
    }

    private static byte[] image(String more) {
        return (".version 8.0\n.target sm_90\n" + more).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    byte[] image() {
        return image("");
    }

    @Test
    void oneLibraryServesAllDevices() {
        // The first array makes its device's pool.
        device.allocate(DataType.FLOAT32, 1).close();
        long before = StubDriver.live();
        long loads = StubDriver.calls("cuLibraryLoadData");
        try (Device peer = Device.of(1)) {
            assertRuns(device);
            assertRuns(peer);
            DeviceArray here = library.on(device).global("table", DataType.FLOAT32);
            DeviceArray there = library.on(peer).global("table", DataType.FLOAT32);
            assertThat(here.address()).isNotEqualTo(there.address());
            assertThat(StubDriver.calls("cuLibraryLoadData")).isEqualTo(loads);
            library.close();
            assertThat(there.isAlive()).isFalse();
        }
        assertThat(StubDriver.live()).as("without the library").isEqualTo(before - 1);
    }

    @Test
    void codeForOtherDevicesSaysWhatIsNeeded() {
        try (CudaLibrary other = CudaLibrary.load(image("only 1"));
                Device peer = Device.of(1)) {
            assertThatThrownBy(() -> other.on(device))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("bytes on device 0, which needs code for sm_90 or PTX, failed")
                    .hasMessageContaining("another architecture");
            assertThat(other.on(peer).function("scale").device()).isSameAs(peer);
        }
        assertThatThrownBy(() -> CudaModule.load(device, image("only 1")))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("which needs code for sm_90 or PTX");
    }

    @Test
    void kernelsThatRunKeepTheCode() {
        try (DeviceArray x = device.allocate(DataType.FLOAT32, 10);
                Stream busy = device.newStream()) {
            library.on(device).function("scale").launch(LaunchConfig.grid(1), busy, x, 10, 2f);
            StubDriver.stall(busy.handle(), true);
            long unloads = StubDriver.calls("cuLibraryUnload");
            library.close();
            assertThat(StubDriver.calls("cuLibraryUnload")).isEqualTo(unloads);
            StubDriver.stall(busy.handle(), false);
            // Whoever allocates next finds it done.
            device.allocate(DataType.FLOAT32, 1).close();
            assertThat(StubDriver.calls("cuLibraryUnload")).isEqualTo(unloads + 1);
        }
    }

    @Test
    void theCompilersWordsAreInTheMessage() {
        assertThatThrownBy(() -> CudaLibrary.load(image("broken")))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("line 3: it is broken");
    }
}
