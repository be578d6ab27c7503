// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The suites of one-sided operations over the simulated NVSHMEM. */
class SimulatedOneSidedTest {
    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(2, Machine.SIMULATED_NEWEST, Suites.ONE_SIDED);
    }
}
