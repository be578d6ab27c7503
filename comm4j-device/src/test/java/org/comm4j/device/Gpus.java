// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nvshmem.Nvshmem;

/** What the tests on GPUs need. */
final class Gpus {
    private Gpus() {}

    /** Skips the test where there are not so many GPUs that NVSHMEM connects, or no compilers. */
    static void require(int count) {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(Cuda.deviceCount() >= count, "there are fewer than " + count + " GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
    }
}
