// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

    /**
     * Asserts that an outcome is that of another number of ranks.
     *
     * @param tolerance of costs and error
     * @param ofSections tolerance of what is drawn
     */
    public static void assertSame(Outcome other, Outcome one, double tolerance, double ofSections) {
        assertThat(other.costs()).containsExactly(one.costs(), within(tolerance));
        assertThat(other.error()).isEqualTo(one.error(), within(tolerance));
        for (int s = 0; s < one.sections().size(); s++) {
            assertThat(other.sections().get(s).values())
                    .as(one.sections().get(s).title())
                    .containsExactly(one.sections().get(s).values(), within(ofSections));
        }
    }
}
