// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;

/**
 * NCCL as an engine, {@code nccl}: a rank takes the GPU of its number among the ranks of its machine. Where
 * {@code NCCL_MULTI_RANK_GPU_ENABLE=1} allows ranks to share GPUs (NCCL 2.30), they take them in turn.
 */
public final class NcclEngine implements Engine {
    public static final String NAME = "nccl";

    public NcclEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public @Nullable String problem() {
        return Nccl.problem();
    }

    @Override
    public Communicator communicator(World world) {
        boolean sharing = "1".equals(System.getenv("NCCL_MULTI_RANK_GPU_ENABLE"));
        int rank = world.localRank();
        return Nccl.communicator(world, sharing ? Device.inTurn(rank) : Device.of(rank));
    }
}
