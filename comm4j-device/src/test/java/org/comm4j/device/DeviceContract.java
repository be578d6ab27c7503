// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All cases, on several numbers of PEs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeviceContract {
    private static final String SEED_PROPERTY = "comm4j.seed";

    static final long SEED =
            Long.getLong(SEED_PROPERTY, ThreadLocalRandom.current().nextLong());

    static final String SEED_OPTION = "-D" + SEED_PROPERTY + "=" + SEED;

    /** The numbers of PEs to run with. */
    abstract List<Integer> sizes();

    /** Runs a case on so many PEs; throws what a PE threw. */
    abstract void run(int pes, DeviceCase deviceCase) throws Exception;

    /** The cases that are run. */
    List<DeviceCase> some() {
        return List.of(DeviceCase.values());
    }

    /** Skips where a job of so many PEs cannot run. */
    void require(int pes) {}

    Stream<Arguments> cases() {
        return sizes().stream().flatMap(pes -> some().stream().map(each -> Arguments.of(pes, each)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("cases")
    void holds(int pes, DeviceCase deviceCase) {
        require(pes);
        try {
            run(pes, deviceCase);
        } catch (Throwable e) {
            throw new AssertionError(
                    deviceCase + " on " + pes + " PEs: " + e + "\n(the same data again: " + SEED_OPTION + ")", e);
        }
    }
}
