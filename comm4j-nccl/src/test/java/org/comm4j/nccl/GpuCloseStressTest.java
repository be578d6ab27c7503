// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.contract.CloseStress;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link CloseStress} over a real GPU, for {@code -Dcomm4j.stress.seconds}. */
@Tag("gpu")
class GpuCloseStressTest {
    @Test
    void noCallMeetsWhatAnotherThreadCloses() {
        Gpu.require(1);
        try (Device device = Gpu.of(0)) {
            CloseStress.run(() -> new CloseThings(device), 10);
        }
    }
}
