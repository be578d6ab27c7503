// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link HostShmem} promises, as {@link OneSidedCase}s; subclasses say how PEs are started. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OneSidedContract {
    private static final String SEED_PROPERTY = "comm4j.seed";

    /** All random data comes from this number, the same on all PEs. */
    static final long SEED =
            Long.getLong(SEED_PROPERTY, ThreadLocalRandom.current().nextLong());

    static final String SEED_OPTION = "-D" + SEED_PROPERTY + "=" + SEED;

    /** The numbers of PEs to run with. */
    abstract List<Integer> sizes();

    /** Runs a case on so many PEs; throws what a PE threw. */
    abstract void run(int pes, OneSidedCase oneSidedCase) throws Exception;

    /** The same numbers on every PE for the same {@code purpose}. */
    static SplittableRandom random(long purpose) {
        return new SplittableRandom(SEED + purpose);
    }

    Stream<Arguments> cases() {
        return sizes().stream().flatMap(pes -> Stream.of(OneSidedCase.values()).map(each -> Arguments.of(pes, each)));
    }

    @ParameterizedTest(name = "{0} PEs: {1}")
    @MethodSource("cases")
    void holds(int pes, OneSidedCase oneSidedCase) {
        try {
            run(pes, oneSidedCase);
        } catch (Throwable e) {
            throw new AssertionError(
                    oneSidedCase + " on " + pes + " PEs: " + e + "\n(the same data again: " + SEED_OPTION + ")", e);
        }
    }
}
