// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.EventContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.PersistentContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What every engine must do, over real GPUs: as many ranks as there are GPUs. */
@Tag("gpu")
class GpuContractTest {
    @BeforeAll
    static void needsGpus() {
        Gpu.require(2);
    }

    @Nested
    class Collectives extends CollectiveContract {
        Collectives() {
            super(new GpuEngine(CommConfig.DEFAULT));
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        /** Setting up connections to a rank that stays away can only be given up without blocking. */
        Communicators() {
            super(new GpuEngine(CommConfig.DEFAULT.blocking(false)));
        }
    }

    @Nested
    class Persistent extends PersistentContract {
        Persistent() {
            super(new GpuEngine(CommConfig.DEFAULT));
        }
    }

    @Nested
    class Messages extends MessageContract {
        Messages() {
            super(new GpuEngine(CommConfig.DEFAULT));
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        Misuse() {
            super(new GpuEngine(CommConfig.DEFAULT));
        }
    }

    @Nested
    class Allocations extends AllocationContract {
        Allocations() {
            super(new GpuEngine(CommConfig.DEFAULT));
        }
    }

    @Nested
    class Events extends EventContract {
        Events() {
            super(new GpuEngine(CommConfig.DEFAULT));
        }
    }
}
