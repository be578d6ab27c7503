// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.ffi.cuda.LibCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubGraphTest extends GraphContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Test
    void aFailedCallbackIsForgotten() {
        int before = HostCallbacks.pending();
        StubDriver.fail("cuLaunchHostFunc", LibCuda.CUDA_ERROR_LAUNCH_FAILED, 0);
        assertThatThrownBy(() -> stream.onReached(() -> {})).isInstanceOf(CudaException.class);
        assertThat(HostCallbacks.pending()).isEqualTo(before);
    }

    @Test
    void whatDiffersIsSaid() {
        try (DeviceArray a = device.allocate(DataType.FLOAT32, 10);
                Graph one = Graph.capture(stream, () -> a.fill(1, stream));
                Graph two = Graph.capture(stream, () -> a.copyTo(device.allocatePinned(DataType.FLOAT32, 10), stream));
                GraphExec exec = one.instantiate()) {
            assertThatThrownBy(() -> exec.update(two))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("(other nodes, or another order of them)");
        }
    }
}
