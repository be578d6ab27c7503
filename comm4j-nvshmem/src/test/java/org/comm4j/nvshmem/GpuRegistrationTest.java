// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * {@link RegistrationContract} over the real NVSHMEM, which reads the granularity of its heap once in the life of a
 * process.
 */
@Tag("gpu")
class GpuRegistrationTest {
    @TestFactory
    Stream<DynamicTest> one() {
        return of(1);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return of(2);
    }

    private static Stream<DynamicTest> of(int pes) {
        return PesRun.of(pes, Machine.GPUS, List.of(), RegistrationContract.ENVIRONMENT, RegistrationContract.class);
    }
}
