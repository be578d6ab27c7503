// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The suite that NVSHMEM shares with OpenSHMEM over the simulated library, on 1 to 4 PEs. */
class SimulatedPgasTest {
    @TestFactory
    Stream<DynamicTest> one() {
        return PesRun.of(1, Machine.SIMULATED_3_4_5, PgasSuite.class);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(2, Machine.SIMULATED_NEWEST, PgasSuite.class);
    }

    @TestFactory
    Stream<DynamicTest> three() {
        return PesRun.of(3, Machine.SIMULATED_3_4_5, PgasSuite.class);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.SIMULATED_NEWEST, PgasSuite.class);
    }
}
