// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.contract.RankBody;

/** NCCL over real GPUs: as many ranks as there are GPUs. */
record GpuEngine(CommConfig config) implements ContractNccl.OnGpus {
    @Override
    public void run(int ranks, RankBody body) {
        Gpu.ranks(ranks, config, body::run);
    }

    @Override
    public int mostRanks() {
        return Math.min(8, Gpu.count());
    }
}
