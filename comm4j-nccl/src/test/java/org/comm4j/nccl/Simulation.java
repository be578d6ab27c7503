// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.nio.file.Path;
import java.util.Objects;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.test.Gcc;
import org.comm4j.test.SimulatedLibrary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The driver and the NCCL of {@code simulation.c}, compiled when a test needs them, and what tests control there. */
final class Simulation {
    /** Whether this process simulates the newest NCCL rather than 2.28.9. */
    private static final boolean NEWEST = Boolean.getBoolean("org.comm4j.simulation.newest");

    /** Null where there is no C compiler. */
    private static final @Nullable SimulatedLibrary LIBRARY;

    static {
        if (Gcc.isPresent()) {
            Path source = Path.of("src/test/c/simulation.c");
            String property = "org.comm4j.nccl.library";
            LIBRARY = NEWEST
                    ? SimulatedLibrary.use(source, property, "-DNEWEST")
                    : SimulatedLibrary.use(source, property);
        } else {
            LIBRARY = null;
        }
    }

    private Simulation() {}

    /**
     * A process loads one NCCL: whatever test comes first in this one, it is the simulated one, where there is a C
     * compiler.
     */
    static void prepare() {
        // The class is initialised now.
    }

    /** Skips the test where there is no C compiler. */
    static void require() {
        Gcc.require();
    }

    /** Skips the test where there is no C compiler, or this process simulates 2.28.9. */
    static void requireNewest() {
        require();
        Assumptions.assumeTrue(
                NEWEST, "this process simulates NCCL 2.28.9; -Dorg.comm4j.simulation.newest=true simulates 2.32.3");
    }

    /** Runs ranks as threads, each with a simulated GPU and a communicator of all. */
    static void ranks(int ranks, CommConfig config, NcclBody body) {
        require();
        World.threads(ranks, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device, config)) {
                body.run(comm);
            }
        });
    }

    private static SimulatedLibrary library() {
        return Objects.requireNonNull(LIBRARY);
    }

    /** The next {@code times} calls of a C function return {@code status}. */
    static void fail(String function, int status, int times) {
        library().fail(function, status, times);
    }

    /** How often a C function was called. */
    static long count(String function) {
        return library().count(function);
    }

    static void set(String what, long value) {
        library().set(what, value);
    }

    static long get(String what) {
        return library().get(what);
    }

    static void lastError(String text) {
        library().tell("sim_last_error", text);
    }
}
