// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Communicators of symmetric arrays over the simulated NVSHMEM, and the contract of all engines in checked mode. */
class SimulatedSymmetricTest {
    /** What differs between the ranks' parts. */
    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> symmetricMemoryOfThree() {
        return PesRun.of(3, Machine.SIMULATED_3_4_5, SymmetricCommunicator.class);
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
