// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.contract.RanksRun;
import org.comm4j.cuda.Cuda;
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Products of matrices in blocks on GPUs. */
@Tag("gpu")
class GpuSummaTest extends SummaTest {
    @BeforeAll
    static void onGpus() {
        Ranks.onGpus(true);
    }

    @AfterAll
    static void onProcessors() {
        Ranks.onGpus(false);
    }

    /** Runs the suite on NVSHMEM, where panels travel by kernels. */
    @TestFactory
    Stream<DynamicTest> onNvshmem() {
        assumeTrue(Nvshmem.problem() == null, Nvshmem.problem());
        int ranks = Integer.getInteger("comm4j.gpu.ranks", Cuda.deviceCount());
        return RanksRun.of(ranks, List.of(), Map.of(), Duration.ofMinutes(2), SummaOnNvshmem.class);
    }
}
