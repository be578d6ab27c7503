// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.contract.ContractEngine;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.contract.RanksProgram;
import org.comm4j.core.spi.Call;
import org.comm4j.test.Nightly;
import org.jspecify.annotations.Nullable;

/** Ranks that are PEs, each a process: the first ones take part, by a split, and the others wait for them. */
final class ContractPes implements ContractEngine {
    /** A whole test of others. */
    private static final Duration TURN = Duration.ofMinutes(5);

    private static @Nullable NvshmemCommunicator everybody;

    @Override
    public void run(int ranks, RankBody body) throws Exception {
        RanksProgram.onFirst(ranks, everybody(), body);
    }

    private static NvshmemCommunicator everybody() {
        if (everybody == null || !everybody.nvshmem().isOpen()) {
            everybody = Pes.current().communicator();
            everybody.timeout(TURN);
        }
        return everybody;
    }

    @Override
    public int mostRanks() {
        return Pes.world().size();
    }

    @Override
    public Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
        return Pes.current().device().allocate(type, count);
    }

    @Override
    public boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
        return op == null || ReductionKernels.supports(op, type);
    }

    /** More than everybody reduces for himself. */
    @Override
    public long beyondStaging() {
        return 64 << 10;
    }

    /** Around what everybody reduces for himself, a slot, and a row of operands. */
    @Override
    public long[] turningPoints() {
        return new long[] {16, 64 << 10, 128 << 10, 256 << 10, 1 << 20};
    }

    @Override
    public int times(int usual) {
        return Math.min(usual, Nightly.times(20, 100));
    }
}
