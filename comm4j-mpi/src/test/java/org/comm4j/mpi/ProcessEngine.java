// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.contract.ContractEngine;
import org.comm4j.core.contract.FarArray;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.contract.RanksProgram;
import org.jspecify.annotations.Nullable;

/** The engine mpi on the processes of a run of the contract suite. */
final class ProcessEngine implements ContractEngine {
    private static @Nullable MpiCommunicator everybody;

    private final int share;
    private final boolean far;

    /** @param share how often less to repeat what is repeated */
    ProcessEngine(int share) {
        this(share, false);
    }

    /** @param far whether programs bring memory like that of a device, which goes through copies */
    ProcessEngine(int share, boolean far) {
        this.share = share;
        this.far = far;
    }

    @Override
    public Buffer memory(Communicator comm, Arena arena, DataType type, long count) {
        HostArray array = HostArray.allocate(arena, type, count);
        return far ? new FarArray(array) : array;
    }

    /** What was given up keeps its memory for ever, as MPI cannot cancel it. */
    @Override
    public void close(Arena arena) {
        try {
            arena.close();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("acquired");
        }
    }

    private static synchronized Communicator everybody() {
        if (everybody == null) {
            everybody = Mpi.communicator(RanksProgram.world());
            RanksProgram.atEnd(everybody::close);
        }
        return Objects.requireNonNull(everybody);
    }

    @Override
    public void run(int ranks, RankBody body) throws Exception {
        RanksProgram.onFirst(ranks, everybody(), body);
    }

    @Override
    public int mostRanks() {
        return RanksProgram.world().size();
    }

    /** A library combines in whatever order it likes. */
    @Override
    public boolean reducesInRankOrder() {
        return false;
    }

    /** Processes that outnumber the processors wait for each other. */
    @Override
    public int times(int usual) {
        return Math.max(1, usual / share);
    }
}
