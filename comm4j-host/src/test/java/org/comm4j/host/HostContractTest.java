// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.World;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.EventContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.RankBody;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The embedded engine does what every engine must do. */
class HostContractTest {
    static void onThreads(int ranks, RankBody body) {
        World.threads(ranks, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                body.run(comm);
            }
        });
    }

    @Nested
    class Collectives extends CollectiveContract {
        Collectives() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        Communicators() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Messages extends MessageContract {
        Messages() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        Misuse() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    @DisabledIfSystemProperty(named = "comm4j.checked", matches = "1", disabledReason = "checks allocate")
    class Allocations extends AllocationContract {
        Allocations() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Events extends EventContract {
        Events() {
            super(HostContractTest::onThreads);
        }
    }
}
