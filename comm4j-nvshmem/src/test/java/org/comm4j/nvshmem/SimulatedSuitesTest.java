// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * The suites over the simulated NVSHMEM, on 1 to 4 PEs; those that move data on 2 are in {@link SimulatedOneSidedTest}
 * and {@link SimulatedCollectivesTest}.
 */
class SimulatedSuitesTest {
    /** What a version may have or not, and how a process begins and ends. */
    @TestFactory
    Stream<DynamicTest> one() {
        return PesRun.of(1, Machine.SIMULATED_3_4_5, BindingContract.class, VersionContract.class, LifeContract.class);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> allOnOne() {
        return PesRun.of(1, Machine.SIMULATED_3_4_5, Suites.ofOne());
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(2, Machine.SIMULATED_NEWEST, Suites.LIFE);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> three() {
        return PesRun.of(3, Machine.SIMULATED_3_4_5, Suites.ALL);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.SIMULATED_3_4_5, Suites.ALL);
    }
}
