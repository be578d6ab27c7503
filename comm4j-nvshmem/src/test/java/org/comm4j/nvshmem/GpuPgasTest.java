// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The suite that NVSHMEM shares with OpenSHMEM over the real library, on 1, 2 and 4 PEs with a GPU each. */
@Tag("gpu")
class GpuPgasTest {
    @TestFactory
    Stream<DynamicTest> one() {
        return on(1);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return on(2);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return on(4);
    }

    private static Stream<DynamicTest> on(int pes) {
        return PesRun.of(pes, Machine.GPUS, List.of(), PgasSuite.ENVIRONMENT, PgasSuite.class);
    }
}
