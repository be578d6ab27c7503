// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MismatchContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.PersistentContract;
import org.comm4j.core.contract.RanksRun;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every engine must do, over each MPI library, a process for each rank, started by the library's launcher. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
record MpiContractTest(MpiLibrary library) {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Stream<DynamicTest> ranks(int ranks, List<String> options, Class<?>... suites) {
        return ranks(ranks, options, Map.of("COMM4J_TIMEOUT", "30"), suites);
    }

    private Stream<DynamicTest> ranks(
            int ranks, List<String> options, Map<String, String> environment, Class<?>... suites) {
        return RanksRun.of(ranks, options, environment, LIMIT, library.launcher(), suites);
    }

    /** MPI's blocking functions alone. */
    @TestFactory
    Stream<DynamicTest> blocking() {
        return ranks(
                2,
                List.of(),
                Map.of("COMM4J_MPI_WAIT", "block"),
                Collectives.class,
                Messages.class,
                Misuse.class,
                Allocations.class);
    }

    /** Blocking functions after a polled barrier whatever the size, on a thread of their own. */
    @TestFactory
    Stream<DynamicTest> meeting() {
        return ranks(2, List.of("-Dorg.comm4j.mpi.meet=1"), Collectives.class, Communicators.class, Allocations.class);
    }

    /** The same without a limit, so on the caller's thread. */
    @TestFactory
    Stream<DynamicTest> meetingWithoutLimit() {
        return ranks(2, List.of("-Dorg.comm4j.mpi.meet=1"), Map.of(), Collectives.class, Allocations.class);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return ranks(
                2, List.of(), Collectives.class, Communicators.class, Messages.class, Misuse.class, Allocations.class);
    }

    /** With a limit that large buffers exceed up to 2600 times; MPICH 5 needs minutes for ten thousand requests. */
    @TestFactory
    Stream<DynamicTest> pieces() {
        return ranks(2, List.of("-Dorg.comm4j.mpi.limit=4000"), Messages.class, Communicators.class, Collectives.class);
    }

    @TestFactory
    Stream<DynamicTest> devices() {
        return ranks(2, List.of(), FarCollectives.class, FarMessages.class);
    }

    @TestFactory
    Stream<DynamicTest> checked() {
        return ranks(2, List.of("-Dcomm4j.checked=true"), Mismatches.class, Communicators.class);
    }

    @TestFactory
    Stream<DynamicTest> three() {
        return ranks(3, List.of(), Communicators.class, Messages.class, Persistent.class);
    }

    static final class Collectives extends CollectiveContract {
        Collectives() {
            super(new ProcessEngine(20));
        }
    }

    /** With memory like that of a device. */
    static final class FarCollectives extends CollectiveContract {
        FarCollectives() {
            super(new ProcessEngine(20, true));
        }
    }

    /** With memory like that of a device. */
    static final class FarMessages extends MessageContract {
        FarMessages() {
            super(new ProcessEngine(20, true));
        }
    }

    static final class Communicators extends CommunicatorContract {
        Communicators() {
            super(new ProcessEngine(20));
        }
    }

    static final class Messages extends MessageContract {
        Messages() {
            super(new ProcessEngine(20));
        }
    }

    static final class Persistent extends PersistentContract {
        Persistent() {
            super(new ProcessEngine(20));
        }
    }

    static final class Misuse extends MisuseContract {
        Misuse() {
            super(new ProcessEngine(20));
        }
    }

    static final class Mismatches extends MismatchContract {
        Mismatches() {
            super(new ProcessEngine(20));
        }
    }

    static final class Allocations extends AllocationContract {
        Allocations() {
            super(new ProcessEngine(1));
        }
    }
}
