// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The contract of all engines over the real NVSHMEM; on four PEs with one to four ranks. */
@Tag("gpu")
class GpuNvshmemCommunicatorTest {
    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(2, Machine.GPUS, CommunicatorSuites.ALL);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.GPUS, CommunicatorSuites.ALL);
    }

    @TestFactory
    Stream<DynamicTest> collectivesOfTwo() {
        return PesRun.of(2, Machine.GPUS, CommunicatorSuites.Collectives.class);
    }

    @TestFactory
    Stream<DynamicTest> collectivesOfFour() {
        return PesRun.of(4, Machine.GPUS, CommunicatorSuites.Collectives.class);
    }

    @TestFactory
    Stream<DynamicTest> checked() {
        return PesRun.of(2, Machine.GPUS, List.of("-Dcomm4j.checked=true"), CommunicatorSuites.CHECKED);
    }
}
