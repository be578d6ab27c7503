// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.util.Objects;
import org.comm4j.core.Communicator;
import org.comm4j.core.contract.ContractEngine;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.contract.RanksProgram;
import org.jspecify.annotations.Nullable;

/** The engine mpi on the processes of a run of the contract suite. */
final class ProcessEngine implements ContractEngine {
    private static @Nullable MpiCommunicator everybody;

    private final int share;

    /** @param share how often less to repeat what is repeated */
    ProcessEngine(int share) {
        this.share = share;
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
