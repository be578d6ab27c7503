// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The suite that NVSHMEM shares with OpenSHMEM over the simulated library, on 1 to 4 PEs. */
class SimulatedPgasTest {
    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> one() {
        return on(1, Machine.SIMULATED_3_4_5);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return on(2, Machine.SIMULATED_NEWEST);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> three() {
        return on(3, Machine.SIMULATED_3_4_5);
    }

    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> four() {
        return on(4, Machine.SIMULATED_NEWEST);
    }

    private static Stream<DynamicTest> on(int pes, Machine machine) {
        return PesRun.of(pes, machine, List.of(), PgasSuite.ENVIRONMENT, PgasSuite.class);
    }
}
