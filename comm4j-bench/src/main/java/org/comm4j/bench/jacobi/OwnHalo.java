// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;

/** The halo of a single rank, which is its own neighbour on both sides. */
final class OwnHalo implements HaloExchange {

    private final MemorySegment rows = MemorySegment.ofArray(new float[Slab.MAX_DEPTH * Stripe.MAX_COLUMNS]);

    @Override
    public void receive(Slab slab, int stripe, int depth) {
        for (Side side : Side.values()) {
            slab.getBorder(side.opposite(), stripe, depth, rows, 0);
            slab.putHalo(side, stripe, depth, rows, 0);
        }
    }

    @Override
    public void send(Slab slab, int stripe, int depth) {
        // Nothing to ship: receive takes the rows where they lie, for a stripe's rows stay as they are from its sweep
        // to its next.
    }
}
