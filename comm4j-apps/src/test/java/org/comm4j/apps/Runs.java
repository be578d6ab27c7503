// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.comm4j.array.Backend;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;

/** Inversions on ranks that are threads. */
public final class Runs {
    private Runs() {}

    /** Returns what the body returns on the last rank. */
    public static <T> T on(int ranks, Function<Backend, T> body) {
        AtomicReference<T> result = new AtomicReference<>();
        World.threads(ranks, world -> {
            try (Communicator comm = world.communicator();
                    Backend backend = Backend.of(comm)) {
                T mine = body.apply(backend);
                if (backend.rank() == ranks - 1) {
                    result.set(mine);
                }
            }
        });
        return result.get();
    }
}
