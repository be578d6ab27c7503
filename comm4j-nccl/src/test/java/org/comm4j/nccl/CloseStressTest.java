// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.contract.CloseStress;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link CloseStress} over simulated GPUs. */
@Timeout(120)
class CloseStressTest {
    @Test
    void noCallMeetsWhatAnotherThreadCloses() {
        Simulation.require();
        try (Device device = Device.of(0)) {
            CloseStress.run(() -> new CloseThings(device), 3);
        }
    }
}
