// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.EventContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;
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
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        @Override
        protected int mostRanks() {
            return 3;
        }

        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 10);
        }

        /** There is one way for all sizes here; NCCL's own are its own business. */
        @Override
        protected long[] turningPoints() {
            return new long[] {64, 4096};
        }

        @Override
        protected long beyondStaging() {
            return 16 << 10;
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

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
            Simulation.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

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
    class Misuse extends MisuseContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

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
    class Allocations extends AllocationContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 10);
        }

        @Override
        protected int mostRanks() {
            return 1;
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Simulation.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

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
