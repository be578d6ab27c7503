// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The contract of all engines over the simulated NVSHMEM, on several PEs with one rank to as many; collectives,
 * symmetric memory and checked mode are apart.
 */
class SimulatedCommunicatorTest {
    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(
                2,
                Machine.SIMULATED_3_4_5,
                CommunicatorSuites.Collectives.class,
                CommunicatorSuites.Communicators.class,
                CommunicatorSuites.Messages.class,
                CommunicatorSuites.Misuse.class,
                CommunicatorSuites.Allocations.class,
                SymmetricCommunicator.class);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> three() {
        return PesRun.of(3, Machine.SIMULATED_3_4_5, CommunicatorSuites.ALL);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.SIMULATED_3_4_5, CommunicatorSuites.ALL);
    }
}
