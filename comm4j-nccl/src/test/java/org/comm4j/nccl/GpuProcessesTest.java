// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.RanksRun;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What every engine must do, over real GPUs, a process each; ranks may share GPUs, see {@link Gpu}. The contract of
 * events is for ranks of one process.
 */
@Tag("gpu")
class GpuProcessesTest {
    private static Stream<DynamicTest> ranks(int ranks, Class<?>... suites) {
        Gpu.require(ranks);
        List<String> options = Natives.passedOn("org.comm4j.nccl.library", "org.comm4j.cuda.library");
        // One host, whose fabric manager may not allow multicast.
        Map<String, String> environment = Map.of(
                "COMM4J_TIMEOUT", "30", "NCCL_NVLS_ENABLE", System.getenv().getOrDefault("NCCL_NVLS_ENABLE", "0"));
        return RanksRun.of(ranks, options, environment, Duration.ofMinutes(20), suites);
    }

    @TestFactory
    Stream<DynamicTest> two() {
        return ranks(2, Communicators.class, Messages.class, Misuse.class, Allocations.class);
    }

    @TestFactory
    Stream<DynamicTest> four() {
        return ranks(4, Communicators.class, Messages.class, Misuse.class, Allocations.class);
    }

    @TestFactory
    Stream<DynamicTest> twoCollectives() {
        return ranks(2, Collectives.class);
    }

    @TestFactory
    Stream<DynamicTest> fourCollectives() {
        return ranks(4, Collectives.class);
    }

    static final class Communicators extends CommunicatorContract {
        /** Setting up connections to a rank that stays away can only be given up without blocking. */
        Communicators() {
            super(new ProcessEngine(false));
        }
    }

    static final class Messages extends MessageContract {
        Messages() {
            super(new ProcessEngine(true));
        }
    }

    static final class Misuse extends MisuseContract {
        Misuse() {
            super(new ProcessEngine(true));
        }
    }

    static final class Allocations extends AllocationContract {
        Allocations() {
            super(new ProcessEngine(true));
        }
    }

    static final class Collectives extends CollectiveContract {
        Collectives() {
            super(new ProcessEngine(true));
        }
    }
}
