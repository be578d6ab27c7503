// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Assumptions;

/** Real GPUs and the real NCCL, where there are any. */
final class Gpu {
    private Gpu() {}

    /** Skips the test where NCCL or GPUs are missing. */
    static void require(int gpus) {
        String problem = Nccl.problem();
        Assumptions.assumeTrue(problem == null, problem);
        Assumptions.assumeTrue(Cuda.deviceCount() >= gpus, gpus + " GPUs are needed, there are " + Cuda.deviceCount());
    }

    static int count() {
        return Cuda.deviceCount();
    }

    /** Runs ranks as threads, each with a GPU and a communicator of all. */
    static void ranks(int ranks, CommConfig config, NcclBody body) {
        require(ranks);
        World.threads(ranks, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device, config)) {
                body.run(comm);
            }
        });
    }
}
