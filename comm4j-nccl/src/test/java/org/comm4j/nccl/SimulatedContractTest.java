// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.EventContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.PersistentContract;
import org.comm4j.core.contract.ShrinkContract;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** What every engine must do, over simulated GPUs: arguments, counts and offsets, groups, order, errors. */
class SimulatedContractTest {
    @BeforeAll
    static void needsTheSimulation() {
        Simulation.require();
    }

    @Nested
    class Collectives extends CollectiveContract {
        Collectives() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 3));
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        Communicators() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 4));
        }
    }

    @Nested
    class Persistent extends PersistentContract {
        Persistent() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 4));
        }
    }

    @Nested
    class Messages extends MessageContract {
        Messages() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 4));
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        Misuse() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 4));
        }
    }

    @Nested
    class Allocations extends AllocationContract {
        Allocations() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 1));
        }
    }

    @Nested
    class Events extends EventContract {
        Events() {
            super(new SimulatedEngine(CommConfig.DEFAULT, 4));
        }
    }

    @Nested
    class Shrinks extends ShrinkContract {
        Shrinks() {
            super(
                    (world, body) -> {
                        try (Device device = Device.of(world.rank())) {
                            body.accept(Nccl.communicator(world, device, CommConfig.DEFAULT));
                        }
                    },
                    comm -> ((NcclCommunicator) comm).abort(),
                    Duration.ofSeconds(20));
        }
    }
}
