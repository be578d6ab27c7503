// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.function.Consumer;
import org.comm4j.array.Backend;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;

/** A test's ranks, each a thread with a backend of its own. */
public final class Ranks {
    private Ranks() {}

    /** Runs {@code body} on each of {@code ranks} ranks. */
    public static void run(int ranks, Consumer<Backend> body) {
        World.threads(ranks, world -> {
            try (Communicator comm = world.communicator();
                    Backend backend = Backend.of(comm)) {
                body.accept(backend);
            }
        });
    }
}
