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
import org.junit.jupiter.api.Tag;

/** What every engine must do, over real GPUs: as many ranks as there are GPUs. */
@Tag("gpu")
class GpuContractTest {
    /** Setting up connections to a rank that stays away can only be given up without blocking. */
    private static final CommConfig NOT_BLOCKING = CommConfig.DEFAULT.blocking(false);

    @BeforeAll
    static void needsGpus() {
        Gpu.require(2);
    }

    @Nested
    class Collectives extends CollectiveContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Gpu.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected int mostRanks() {
            return Math.min(8, Gpu.count());
        }

        @Override
        protected boolean reducesInRankOrder() {
            return false;
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Gpu.ranks(ranks, NOT_BLOCKING, body);
        }

        @Override
        protected int mostRanks() {
            return Math.min(8, Gpu.count());
        }

        @Override
        protected boolean reducesInRankOrder() {
            return false;
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }

    @Nested
    class Messages extends MessageContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Gpu.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected int mostRanks() {
            return Math.min(8, Gpu.count());
        }

        @Override
        protected boolean reducesInRankOrder() {
            return false;
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Gpu.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected int mostRanks() {
            return Math.min(8, Gpu.count());
        }

        @Override
        protected boolean reducesInRankOrder() {
            return false;
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }

    @Nested
    class Allocations extends AllocationContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Gpu.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected int mostRanks() {
            return Math.min(8, Gpu.count());
        }

        @Override
        protected boolean reducesInRankOrder() {
            return false;
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }

    @Nested
    class Events extends EventContract {
        @Override
        protected void run(int ranks, RankBody body) {
            Gpu.ranks(ranks, CommConfig.DEFAULT, body);
        }

        @Override
        protected int mostRanks() {
            return Math.min(8, Gpu.count());
        }

        @Override
        protected boolean reducesInRankOrder() {
            return false;
        }

        @Override
        protected Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
            return ((NcclCommunicator) comm).device().allocate(type, count);
        }

        @Override
        protected boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
            return op == null || Types.reduces(op, type);
        }

        /** Making a communicator takes NCCL a good part of a second. */
        @Override
        protected int times(int usual) {
            return Math.max(2, usual / 20);
        }
    }
}
