// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Assumptions;

/**
 * Real GPUs and the real NCCL, where there are any: a rank for each GPU, or as many as {@code -Dcomm4j.gpu.ranks} says,
 * which then share GPUs (NCCL 2.30 and newer do, with {@code NCCL_MULTI_RANK_GPU_ENABLE=1}).
 */
final class Gpu {
    private Gpu() {}

    /** Skips the test where NCCL or GPUs are missing. */
    static void require(int gpus) {
        String problem = Nccl.problem();
        Assumptions.assumeTrue(problem == null, problem);
        Assumptions.assumeTrue(count() >= gpus, gpus + " GPUs are needed, there are " + count());
    }

    /** Skips the test where ranks share GPUs. */
    static void requireOwn() {
        Assumptions.assumeTrue(
                Cuda.deviceCount() >= Math.max(2, count()), "two GPUs are needed, and one for each rank");
    }

    /** The number of ranks. */
    static int count() {
        return Integer.getInteger("comm4j.gpu.ranks", Cuda.deviceCount());
    }

    static Device of(int rank) {
        return Device.inTurn(rank);
    }

    /** Runs ranks as threads, each with a GPU and a communicator of all. */
    static void ranks(int ranks, CommConfig config, NcclBody body) {
        require(ranks);
        World.threads(ranks, world -> {
            try (Device device = of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device, config)) {
                body.run(comm);
            }
        });
    }
}
