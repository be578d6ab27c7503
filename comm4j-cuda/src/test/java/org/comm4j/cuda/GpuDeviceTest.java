// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class GpuDeviceTest extends DeviceContract {
    @BeforeAll
    static void require() {
        Gpu.require(1);
    }

    private static void cycles(Device device, int count) {
        for (int i = 0; i < count; i++) {
            try (Stream s = device.newStream();
                    Event event = device.newEvent();
                    DeviceArray array = device.allocate(DataType.FLOAT32, 1000);
                    PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 1000)) {
                array.copyFrom(pinned, s);
                s.record(event);
                s.onReached(() -> {});
                event.synchronize();
            }
        }
    }

    private static long residentBytes() throws IOException {
        return 4096
                * Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1]);
    }

    @Test
    void tenThousandCyclesTakeNoMemory() throws IOException {
        cycles(device, 1000);
        System.gc();
        long onDevice = device.freeMemory();
        long onHost = residentBytes();
        cycles(device, 10_000);
        System.gc();
        long lostOnDevice = onDevice - device.freeMemory();
        long lostOnHost = residentBytes() - onHost;
        System.out.printf(
                "10000 cycles: %d kB more on the device, %d kB more on the host%n",
                lostOnDevice / 1024, lostOnHost / 1024);
        assertThat(lostOnDevice).isLessThanOrEqualTo(4 << 20);
        assertThat(lostOnHost).isLessThan(64 << 20);
    }

    @Test
    void openingAndClosingDevicesTakesNoMemory() {
        long before = device.freeMemory();
        for (int i = 0; i < 1000; i++) {
            try (Device again = Device.of(0);
                    DeviceArray array = again.allocate(DataType.INT8, 1 << 20)) {
                assertThat(array.isAlive()).isTrue();
            }
        }
        assertThat(before - device.freeMemory()).isLessThanOrEqualTo(4 << 20);
    }
}
