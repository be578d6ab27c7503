// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.comm4j.core.World;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.contract.RanksProgram;
import org.comm4j.cuda.Device;

/** NCCL over real GPUs, a rank being a process of {@link RanksProgram}: the first ones take part, by a split, and the others wait for them. */
record ProcessEngine(boolean blocking) implements ContractNccl {
    /** A whole test of others. */
    private static final Duration TURN = Duration.ofMinutes(2);

    private static final Map<Boolean, NcclCommunicator> EVERYBODY = new HashMap<>();

    @Override
    public void run(int ranks, RankBody body) throws Exception {
        World world = RanksProgram.world();
        try (NcclCommunicator comm = everybody().split(world.rank() < ranks ? 0 : -1, 0)) {
            if (comm != null) {
                comm.timeout(Duration.ofSeconds(30));
                body.run(comm);
            }
        }
        everybody().barrier();
    }

    private NcclCommunicator everybody() {
        return EVERYBODY.computeIfAbsent(blocking, key -> {
            Device device = Gpu.of(RanksProgram.world().rank());
            NcclCommunicator comm = Nccl.communicator(RanksProgram.world(), device, CommConfig.DEFAULT.blocking(key));
            comm.timeout(TURN);
            RanksProgram.atEnd(comm::close);
            RanksProgram.atEnd(device::close);
            return comm;
        });
    }

    @Override
    public int mostRanks() {
        return RanksProgram.world().size();
    }

    @Override
    public boolean reducesInRankOrder() {
        return false;
    }

    /** Making a communicator takes NCCL a good part of a second. */
    @Override
    public int times(int usual) {
        return Math.max(2, usual / 20);
    }
}
