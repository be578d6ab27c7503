// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Consumer;
import org.comm4j.array.Backend;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.nccl.Nccl;

/**
 * A test's ranks, each a thread with a backend of its own: on processors, or each on a GPU while {@link #onGpus} says
 * so.
 */
public final class Ranks {
    private static volatile boolean gpus;

    private Ranks() {}

    /** Says whether ranks from now on have GPUs and communicate by NCCL. */
    public static void onGpus(boolean on) {
        gpus = on;
    }

    /** Runs {@code body} on each of {@code ranks} ranks; skips the test where there are not as many GPUs. */
    public static void run(int ranks, Consumer<Backend> body) {
        if (!gpus) {
            World.threads(ranks, world -> {
                try (Communicator comm = world.communicator()) {
                    run(comm, body);
                }
            });
            return;
        }
        assumeTrue(Nccl.problem() == null, Nccl.problem());
        int count = Integer.getInteger("comm4j.gpu.ranks", Cuda.deviceCount());
        assumeTrue(count >= ranks, ranks + " GPUs are needed, there are " + count);
        World.threads(ranks, world -> {
            try (Device device = Device.inTurn(world.rank());
                    Communicator comm = Nccl.communicator(world, device)) {
                run(comm, body);
            }
        });
    }

    private static void run(Communicator comm, Consumer<Backend> body) {
        try (Backend backend = Backend.of(comm)) {
            body.accept(backend);
        }
    }
}
