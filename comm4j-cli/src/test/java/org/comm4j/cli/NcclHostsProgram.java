// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;

/** A rank of {@link SimulatedHostsTest}: begins and ends a communicator of NCCL. */
final class NcclHostsProgram {
    private NcclHostsProgram() {}

    public static void main(String[] arguments) {
        try (World world = World.join();
                Device gpu = Device.of(world.localRank());
                NcclCommunicator nccl = Nccl.communicator(world, gpu)) {
            System.out.println("NCCL rank " + nccl.rank() + " of " + nccl.size() + ", GPU " + gpu.ordinal());
            world.barrier();
        }
    }
}
