// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nvshmem.Nvshmem;

/**
 * What the tests on GPUs need: one for each PE, or with {@code -Dcomm4j.gpu.pes} so many PEs, which then share GPUs by
 * CUDA's Multi-Process Service (kernels wait for each other, which takes turns otherwise).
 */
final class Gpus {
    private Gpus() {}

    /** Skips the test where there are not GPUs for so many PEs that NVSHMEM connects, or no compilers. */
    static void require(int pes) {
        assumeTrue(Cuda.problem() == null, Cuda::problem);
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(places() >= pes, "there are fewer than " + pes + " GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
    }

    private static int places() {
        return Integer.getInteger("comm4j.gpu.pes", Cuda.deviceCount());
    }

    /** 4 PEs where there is room for them, else 2. */
    static int most() {
        return Cuda.problem() == null && places() >= 4 ? 4 : 2;
    }

    /** The GPU of a PE. */
    static Device of(World world) {
        return Device.inTurn(world.localRank());
    }
}
