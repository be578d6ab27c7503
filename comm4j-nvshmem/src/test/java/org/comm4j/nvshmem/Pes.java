// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.core.World;
import org.comm4j.core.contract.RanksProgram;
import org.comm4j.cuda.Device;
import org.jspecify.annotations.Nullable;

/**
 * What a suite finds in a process that {@link PesRun} has started: the world, a GPU, an {@link Nvshmem} that the tests
 * share. All PEs execute the same tests in the same order, so what is collective may be called anywhere.
 */
final class Pes {
    private static @Nullable World world;
    private static @Nullable Device device;
    private static @Nullable Nvshmem nvshmem;

    private Pes() {}

    static void join(World joined) {
        world = joined;
    }

    /** The world of the PEs. */
    static World world() {
        if (world == null) {
            world = RanksProgram.world();
            RanksProgram.atEnd(Pes::leave);
        }
        return world;
    }

    static boolean simulated() {
        return Machine.current().simulated();
    }

    /** This PE's GPU. */
    static Device device() {
        if (device == null) {
            device = Machine.current().device(world().rank());
        }
        return device;
    }

    /** Collective if there is none: initialises it. */
    static Nvshmem current() {
        if (nvshmem == null || !nvshmem.isOpen()) {
            nvshmem = Nvshmem.init(world(), device());
        }
        return nvshmem;
    }

    /** Collective if there is one: closes it, for tests that need another, or none. */
    static void close() {
        if (nvshmem != null) {
            nvshmem.close();
            nvshmem = null;
        }
    }

    /** At the end of this process. */
    static void leave() {
        close();
        if (device != null) {
            device.close();
        }
    }
}
