// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.World;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MismatchContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.RankBody;
import org.junit.jupiter.api.Nested;

/** The same in checked mode, which is chosen when the JVM starts. */
class HostCheckedContractTest {
    static void onThreads(int ranks, RankBody body) {
        World.threads(ranks, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                body.run(comm);
            }
        });
    }

    @Nested
    class Mismatches extends MismatchContract {
        @Override
        protected void run(int ranks, RankBody body) {
            onThreads(ranks, body);
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        @Override
        protected void run(int ranks, RankBody body) {
            onThreads(ranks, body);
        }
    }

    @Nested
    class Messages extends MessageContract {
        @Override
        protected void run(int ranks, RankBody body) {
            onThreads(ranks, body);
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        @Override
        protected void run(int ranks, RankBody body) {
            onThreads(ranks, body);
        }
    }
}
