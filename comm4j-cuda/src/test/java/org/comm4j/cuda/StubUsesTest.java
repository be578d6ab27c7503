// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.ffi.handle.CUstream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubUsesTest extends UsesContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Override
    Stall stall(Stream stream) {
        CUstream handle = stream.handle();
        StubDriver.stall(handle, true);
        return () -> StubDriver.stall(handle, false);
    }

    @Test
    void whatWasInUseIsFreedByWhoeverComesNext() {
        device.allocate(DataType.INT8, 1).close();
        long before = StubDriver.live();
        for (int i = 0; i < 10; i++) {
            DeviceArray array = device.allocate(DataType.INT8, 100);
            try (Stall _ = stall(stream)) {
                array.fill(1, stream);
                array.close();
                assertThat(StubDriver.live()).isEqualTo(before + 1);
            }
        }
        device.allocate(DataType.INT8, 1).close();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    /** A stream whose work failed is done with the memory. */
    @Test
    void failedWorkKeepsNothing() {
        device.allocate(DataType.INT8, 1).close();
        long before = StubDriver.live();
        DeviceArray array = device.allocate(DataType.INT8, 100);
        array.fill(1, stream);
        StubDriver.fail("cuStreamQuery", 700, 0);
        array.close();
        assertThat(StubDriver.live()).isEqualTo(before);
    }
}
