// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.ShrinkContract;
import org.comm4j.cuda.Device;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The same with communicators that do not block. */
class SimulatedNonblockingContractTest {
    private static final int RANKS = Nightly.isOn() ? 4 : 2;

    @BeforeAll
    static void needsTheSimulation() {
        Simulation.require();
    }

    @Nested
    class Communicators extends CommunicatorContract {
        Communicators() {
            super(new SimulatedEngine(CommConfig.DEFAULT.blocking(false), RANKS));
        }
    }

    @Nested
    class Allocations extends AllocationContract {
        Allocations() {
            super(new SimulatedEngine(CommConfig.DEFAULT.blocking(false), 1));
        }
    }

    @Nested
    class Messages extends MessageContract {
        Messages() {
            super(new SimulatedEngine(CommConfig.DEFAULT.blocking(false), RANKS));
        }
    }

    @Nested
    class Shrinks extends ShrinkContract {
        Shrinks() {
            super(
                    (world, body) -> {
                        try (Device device = Device.of(world.rank())) {
                            body.accept(Nccl.communicator(world, device, CommConfig.DEFAULT.blocking(false)));
                        }
                    },
                    comm -> ((NcclCommunicator) comm).abort(),
                    Duration.ofSeconds(20));
        }
    }
}
