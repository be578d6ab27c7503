// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The suite that NVSHMEM shares with OpenSHMEM over the real library, on 1, 2 and 4 PEs with a GPU each. */
@Tag("gpu")
class GpuPgasTest {
    @TestFactory
    Stream<DynamicTest> one() {
        return PesRun.of(1, Machine.GPUS, PgasSuite.class);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return PesRun.of(2, Machine.GPUS, PgasSuite.class);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return PesRun.of(4, Machine.GPUS, PgasSuite.class);
    }
}
