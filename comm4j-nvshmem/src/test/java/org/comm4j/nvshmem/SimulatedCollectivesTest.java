// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The contract of all engines' collectives over the simulated NVSHMEM. */
class SimulatedCollectivesTest {
    @TestFactory
    Stream<DynamicTest> two() {
        // Processes that poll, and more of them than processors, would make this the slowest test of all.
        return PesRun.of(2, Machine.SIMULATED_3_4_5, CommunicatorSuites.Collectives.class);
    }
}
