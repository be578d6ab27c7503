// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link GatheredProduct}: an epilogue that puts to other PEs. */
class GpuGatheredProductTest {
    @Test
    void threePesOnTheCpu() {
        World.threads(3, GatheredProductProgram::simulate);
    }

    @Test
    @Tag("gpu")
    void twoGpus() {
        Natives.use();
        assumeTrue(Cuda.problem() == null, Cuda::problem);
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(Cuda.deviceCount() >= 2, "there are fewer than 2 GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
        assertThat(GatheredProductProgram.launch(2)).contains("[0] passed", "[1] passed", "exit code 0");
    }
}
