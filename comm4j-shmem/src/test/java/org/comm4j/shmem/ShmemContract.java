// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link OpenShmem} promises, as {@link ShmemCase}s; subclasses say which engine, and how PEs are started. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ShmemContract {
    /** The numbers of PEs to run with. */
    abstract List<Integer> sizes();

    /** Runs a case on so many PEs; throws what a PE threw. */
    abstract void run(int pes, ShmemCase shmemCase);

    Stream<Arguments> cases() {
        return sizes().stream().flatMap(pes -> Stream.of(ShmemCase.values()).map(each -> Arguments.of(pes, each)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("cases")
    void holds(int pes, ShmemCase shmemCase) {
        run(pes, shmemCase);
    }
}
