// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.core.spi.PgasEngine;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;

/**
 * NVSHMEM as an engine, {@code nvshmem}: a rank takes the GPU of its number among the ranks of its machine; if there
 * are fewer GPUs, they are taken in turn. Closing the communicator of all ranks closes the {@link Nvshmem} under it,
 * which is collective.
 */
public final class NvshmemEngine implements Engine, PgasEngine {
    public static final String NAME = "nvshmem";

    public NvshmemEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public @Nullable String problem() {
        return Nvshmem.problem();
    }

    @Override
    public Communicator communicator(World world) {
        Nvshmem nvshmem = pgas(world);
        try {
            return nvshmem.communicator(nvshmem::close);
        } catch (Throwable e) {
            nvshmem.close();
            throw e;
        }
    }

    /** Its close closes the device, too. */
    @Override
    public Nvshmem pgas(World world) {
        Device device = Device.inTurn(world.localRank());
        try {
            return Nvshmem.init(world, device, NvshmemOptions.DEFAULT, device::close);
        } catch (Throwable e) {
            device.close();
            throw e;
        }
    }
}
