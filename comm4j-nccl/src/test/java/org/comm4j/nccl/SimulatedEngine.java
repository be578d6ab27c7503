// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.contract.RankBody;

/** NCCL over simulated GPUs. */
record SimulatedEngine(CommConfig config, int mostRanks) implements ContractNccl {
    @Override
    public void run(int ranks, RankBody body) {
        Simulation.ranks(ranks, config, body::run);
    }

    /** Every call of a communicator that does not block starts a thread in the simulation, as in NCCL. */
    @Override
    public int times(int usual) {
        return Math.max(2, usual / 10);
    }

    /** There is one way for all sizes here; NCCL's own are its own business. */
    @Override
    public long[] turningPoints() {
        return new long[] {64, 4096};
    }

    @Override
    public long beyondStaging() {
        return 16 << 10;
    }
}
