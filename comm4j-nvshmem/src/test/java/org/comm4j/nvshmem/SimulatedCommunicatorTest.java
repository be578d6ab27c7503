// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The contract of all engines over the simulated NVSHMEM, on several PEs with one rank to as many. */
class SimulatedCommunicatorTest {
    @TestFactory
    Stream<DynamicTest> three() {
        return PesRun.of(3, Machine.SIMULATED_3_4_5, CommunicatorSuites.ALL);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.SIMULATED_3_4_5, CommunicatorSuites.ALL);
    }

    @TestFactory
    Stream<DynamicTest> collectives() {
        // Processes that poll, and more of them than processors, would make this the slowest test of all.
        return PesRun.of(2, Machine.SIMULATED_3_4_5, CommunicatorSuites.Collectives.class);
    }

    @TestFactory
    Stream<DynamicTest> checked() {
        return checked(2);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> checkedThree() {
        return checked(3);
    }

    private static Stream<DynamicTest> checked(int pes) {
        return PesRun.of(pes, Machine.SIMULATED_NEWEST, List.of("-Dcomm4j.checked=true"), CommunicatorSuites.CHECKED);
    }

    @TestFactory
    Stream<DynamicTest> one() {
        return PesRun.of(1, Machine.SIMULATED_NEWEST, SymmetricCommunicator.class);
    }
}
