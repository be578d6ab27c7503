// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.contract.RanksProgram;
import org.comm4j.cuda.Device;

/**
 * NCCL over real GPUs, a rank being a process of {@link RanksProgram}: the first ones take part, by a split, and the
 * others wait for them.
 */
record ProcessEngine(boolean blocking) implements ContractNccl.OnGpus {
    /** A whole test of others. */
    private static final Duration TURN = Duration.ofMinutes(2);

    private static final Map<Boolean, NcclCommunicator> EVERYBODY = new HashMap<>();

    @Override
    public void run(int ranks, RankBody body) throws Exception {
        RanksProgram.onFirst(ranks, everybody(), comm -> {
            comm.timeout(Duration.ofSeconds(30));
            body.run(comm);
        });
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
}
