// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Sweep;
import org.jspecify.annotations.Nullable;

/**
 * Updates y = a x + b y of vectors, together with squared norms of their results, that are described once and run
 * often, without allocation: {@code Updates.of(a, x, Coefficient.ONE, y).squares(norms, 0)}. They do not communicate;
 * the {@link Dots} that the norms belong to do.
 */
public final class Updates {
    private static final class Update {
        final Coefficient a;
        final Vector x;
        final Coefficient b;
        final Vector y;

        @Nullable
        Dots squares;

        int dot;

        Update(Coefficient a, Vector x, Coefficient b, Vector y) {
            this.a = a;
            this.x = x;
            this.b = b;
            this.y = y;
        }
    }

    private final List<Update> updates = new ArrayList<>();
    private @Nullable Runnable sweep;

    private Updates() {}

    /** Returns the description of y = a x + b y. */
    public static Updates of(Coefficient a, Vector x, Coefficient b, Vector y) {
        return new Updates().and(a, x, b, y);
    }

    /**
     * Adds y = a x + b y, which comes after the updates before it.
     *
     * @throws IllegalArgumentException if layouts, types or backends differ
     * @throws IllegalStateException if they have run
     */
    public Updates and(Coefficient a, Vector x, Coefficient b, Vector y) {
        checkOpen();
        y.check("update", x);
        updates.add(new Update(a, x, b, y));
        return this;
    }

    /**
     * Computes the squared norm of the result of the last update, too.
     *
     * @param dots the norm is one of
     * @param dot its number there, of a {@linkplain Dots#andGiven given} one
     */
    public Updates squares(Dots dots, int dot) {
        checkOpen();
        Update last = updates.getLast();
        last.squares = dots;
        last.dot = dot;
        last.y.arrays().forEach(array -> dots.expect(dot, array));
        return this;
    }

    private void checkOpen() {
        if (sweep != null) {
            throw new IllegalStateException("updates are described before they run");
        }
    }

    /** Computes the updates. */
    public void run() {
        Runnable all = sweep;
        if (all == null) {
            all = prepare();
            sweep = all;
        }
        all.run();
    }

    private Runnable prepare() {
        Sweep all = new Sweep();
        for (Update update : updates) {
            Set<Integer> begun = new HashSet<>();
            for (int i = 0; i < update.y.arrays().size(); i++) {
                var x = update.x.arrays().get(i).part();
                DistributedArray y = update.y.arrays().get(i);
                Dots squares = update.squares;
                if (squares == null) {
                    all.update(update.a, x, update.b, y.part());
                    continue;
                }
                int index = squares.index(update.dot, y);
                boolean add = !begun.add(index);
                if (squares.isReproducible()) {
                    all.update(update.a, x, update.b, y.part());
                    all.squares(1, y.part(), squares.exactSums(), index, add);
                } else {
                    all.update(update.a, x, update.b, y.part(), squares.place(update.dot, y), add);
                }
            }
        }
        return updates.getFirst().y.backend().compute().prepare(all);
    }
}
