// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The suites over the real NVSHMEM, on 1, 2 and 4 PEs with a GPU each; and what PEs can do that share one. */
@Tag("gpu")
class GpuSuitesTest {
    @TestFactory
    Stream<DynamicTest> one() {
        return PesRun.of(1, Machine.GPUS, Suites.ofOne());
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(2, Machine.GPUS, Suites.ALL);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.GPUS, Suites.ALL);
    }

    @TestFactory
    Stream<DynamicTest> twoOnOneGpu() {
        Assumptions.assumeFalse(Cuda.hasMps(), "with MPS kernels of several PEs wait for each other on one GPU");
        return PesRun.of(2, Machine.SHARED_GPU, SharedGpuContract.class);
    }
}
