// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MismatchContract;
import org.comm4j.core.contract.MisuseContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The same in checked mode, which is chosen when the JVM starts. */
@Tag("checked")
class HostCheckedContractTest {
    @Nested
    class Mismatches extends MismatchContract {
        Mismatches() {
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
}
