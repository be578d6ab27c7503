// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MismatchContract;
import org.comm4j.core.contract.MisuseContract;

/**
 * The contract of all engines, on PEs. That of events is for ranks of one process; {@link SymmetricCommunicator} has
 * one instead.
 */
final class CommunicatorSuites {
    /** All but {@link Collectives}, which take long. */
    static final Class<?>[] ALL = {
        Communicators.class, Messages.class, Misuse.class, Allocations.class, SymmetricCommunicator.class
    };

    /** What needs checked mode. */
    static final Class<?>[] CHECKED = {Mismatch.class, Messages.class, SymmetricCommunicator.class};

    static final class Communicators extends CommunicatorContract {
        Communicators() {
            super(new ContractPes());
        }
    }

    static final class Messages extends MessageContract {
        Messages() {
            super(new ContractPes());
        }
    }

    static final class Misuse extends MisuseContract {
        Misuse() {
            super(new ContractPes());
        }
    }

    static final class Collectives extends CollectiveContract {
        Collectives() {
            super(new ContractPes());
        }
    }

    static final class Allocations extends AllocationContract {
        Allocations() {
            super(new ContractPes());
        }
    }

    static final class Mismatch extends MismatchContract {
        Mismatch() {
            super(new ContractPes());
        }
    }

    private CommunicatorSuites() {}
}
