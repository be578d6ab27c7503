// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.kernel.KernelCode;
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The kernels on a GPU: one PE, since threads of a JVM are one PE of NVSHMEM. */
@Tag("gpu")
class GpuPrkTest extends OnGpusContract {
    GpuPrkTest() {
        super(true, 1);
    }

    @BeforeEach
    void needsAGpu() {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
    }
}
