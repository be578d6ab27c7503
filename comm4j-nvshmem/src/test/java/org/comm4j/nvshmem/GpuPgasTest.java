// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The suite that NVSHMEM shares with OpenSHMEM over the real library, on 1 to 4 PEs with a GPU each. */
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
    Stream<DynamicTest> three() {
        return on(3);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return on(4);
    }

    /** NVSHMEM leaves collectives to NCCL where it finds it. */
    @TestFactory
    Stream<DynamicTest> twoWithoutNccl() {
        return on(2, Map.of("NVSHMEM_DISABLE_NCCL", "1"));
    }

    @TestFactory
    Stream<DynamicTest> fourWithoutNccl() {
        return on(4, Map.of("NVSHMEM_DISABLE_NCCL", "1"));
    }

    private static Stream<DynamicTest> on(int pes) {
        return on(pes, Map.of());
    }

    private static Stream<DynamicTest> on(int pes, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(PgasSuite.ENVIRONMENT);
        environment.putAll(more);
        return PesRun.of(pes, Machine.GPUS, List.of(), environment, PgasSuite.class);
    }
}
