// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The way of arrays from one layout to another: one allToAllV, or a kernel that writes into the memory of GPUs which
 * reach each other, or a local copy where every rank has what it needs. It is planned once and used for any number of
 * arrays of a type. A part that is sent or received in its own order is not packed: it takes part in the exchange
 * itself.
 */
public final class Redistribution {
    private final Backend backend;
    private final Layout from;
    private final Layout to;
    private final DataType type;
    private final Packing send;
    private final Packing receive;
    private final Buffer outgoing;
    private final Messages messages;
    /** Made when first needed. */
    private @Nullable Buffer incoming;

    /**
     * Plans the way; does not communicate.
     *
     * @param from a divided or replicated layout
     * @param to a divided or replicated layout of as many elements, which keep their row-major order in another shape
     */
    public Redistribution(Backend backend, Layout from, Layout to, DataType type) {
        for (Layout layout : new Layout[] {from, to}) {
            backend.checkLayout("Redistribution", layout);
            if (layout.partition() == Partition.LOCAL) {
                throw new IllegalArgumentException("Redistribution: " + layout + " has no common elements");
            }
        }
        if (from.size() != to.size()) {
            throw new IllegalArgumentException(
                    "Redistribution: " + from + " and " + to + " have different numbers of elements");
        }
        this.backend = backend;
        this.from = from;
        this.to = to;
        this.type = type;
        int ranks = backend.size();
        int mine = backend.rank();
        send = new Packing(backend.compute(), true, ranks, from.localSize(mine));
        receive = new Packing(backend.compute(), false, ranks, to.localSize(mine));
        for (int r = 0; r < ranks; r++) {
            if (sends(mine, r)) {
                new Runs(from, mine).meet(new Runs(to, r), send, r);
            }
            if (sends(r, mine)) {
                new Runs(to, mine).meet(new Runs(from, r), receive, r);
            }
        }
        send.end();
        receive.end();
        outgoing = backend.compute().buffer(type, send.isPacked() ? 0 : send.total());
        long largest = 0;
        for (int r = 0; r < ranks; r++) {
            largest = Math.max(largest, to.localSize(r));
        }
        messages = new Messages(backend, type, largest, send.counts(), receive.counts());
    }

    /** Returns whether a rank sends to another one what it has: nobody needs it of others that everybody has. */
    private boolean sends(int rank, int other) {
        return from.isDivided() ? from.areTogether(rank, other) : rank == other;
    }

    /** Collective unless {@code x} is replicated: copies {@code x} to {@code y}, which has the other layout. */
    public void run(DistributedArray x, DistributedArray y) {
        if (!x.layout().equals(from) || !y.layout().equals(to) || x.type() != type || y.type() != type) {
            throw new IllegalArgumentException("Redistribution on rank " + backend.rank() + ": " + x + " and " + y
                    + " must be " + type + " with the layouts " + from + " and " + to);
        }
        boolean alone = backend.size() == 1 || !from.isDivided();
        Buffer out = send.isPacked() ? x.part() : outgoing;
        Buffer in = receive.isPacked() ? y.part() : incoming(alone);
        if (!send.isPacked()) {
            send.move(x.part(), outgoing);
        }
        if (alone) {
            backend.compute().copy(out, in);
        } else {
            messages.run(out, in);
        }
        if (!receive.isPacked()) {
            receive.move(y.part(), in);
        }
    }

    private Buffer incoming(boolean alone) {
        Buffer known = incoming;
        if (known == null) {
            Buffer landing = alone ? null : messages.landing();
            known = landing != null ? landing : backend.compute().buffer(type, receive.total());
            incoming = known;
        }
        return known;
    }
}
