// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The contract of all engines over the simulated NVSHMEM, on several PEs with one rank to as many; collectives are apart. */
class SimulatedCommunicatorTest {
    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(
                2,
                Machine.SIMULATED_3_4_5,
                CommunicatorSuites.Communicators.class,
                CommunicatorSuites.Messages.class,
                CommunicatorSuites.Misuse.class,
                CommunicatorSuites.Allocations.class);
    }

    /** What differs between the ranks' parts. */
    @TestFactory
    Stream<DynamicTest> symmetricMemoryOfThree() {
        return PesRun.of(3, Machine.SIMULATED_3_4_5, SymmetricCommunicator.class);
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

    @TestFactory
    Stream<DynamicTest> checked() {
        return checked(2, CommunicatorSuites.Mismatch.class);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> checkedThree() {
        return checked(3, CommunicatorSuites.CHECKED);
    }

    private static Stream<DynamicTest> checked(int pes, Class<?>... suites) {
        return PesRun.of(pes, Machine.SIMULATED_NEWEST, List.of("-Dcomm4j.checked=true"), suites);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> one() {
        return PesRun.of(1, Machine.SIMULATED_NEWEST, SymmetricCommunicator.class);
    }
}
