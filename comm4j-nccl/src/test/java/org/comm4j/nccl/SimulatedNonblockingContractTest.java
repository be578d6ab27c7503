// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The same with communicators that do not block. */
class SimulatedNonblockingContractTest {
    @BeforeAll
    static void needsTheSimulation() {
        Simulation.require();
    }

    @Nested
    class Communicators extends CommunicatorContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT.blocking(false), body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Every call starts a thread in the simulation, as in NCCL. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 10);
        }

        @Override
        protected int mostRanks() {
            return 4;
        }
    }

    @Nested
    class Messages extends MessageContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT.blocking(false), body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Every call starts a thread in the simulation, as in NCCL. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 10);
        }

        @Override
        protected int mostRanks() {
            return 4;
        }
    }
}
