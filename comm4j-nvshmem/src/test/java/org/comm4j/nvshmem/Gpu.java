// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Assumptions;

/**
 * Real GPUs and the real NVSHMEM, where there are any: a PE for each GPU, or as many as {@code -Dcomm4j.gpu.pes} says,
 * which then share GPUs.
 */
final class Gpu {
    private Gpu() {}

    /** Skips the test where NVSHMEM or GPUs are missing. */
    static void require(int pes) {
        String problem = Nvshmem.problem();
        Assumptions.assumeTrue(problem == null, problem);
        Assumptions.assumeTrue(count() >= pes, pes + " GPUs are needed, there are " + count());
    }

    /** The number of PEs. */
    static int count() {
        return Integer.getInteger("comm4j.gpu.pes", Cuda.deviceCount());
    }

    static Device of(int rank) {
        return Device.inTurn(rank);
    }
}
