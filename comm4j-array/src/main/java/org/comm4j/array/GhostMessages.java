// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.AxisShape;
import org.comm4j.math.HaloExchange;
import org.comm4j.math.Transfer;
import org.jspecify.annotations.Nullable;

/** Ghost rows that messages bring: from any number of ranks, by any engine. */
final class GhostMessages implements HaloExchange {
    /** Rows to another rank: a selection of this rank's, packed. */
    private record Outgoing(int peer, AxisMatrix selection, Buffer packed) {}

    private record Incoming(int peer, Buffer packed) {}

    /** Rows in one outer slice of what has arrived, and where they go. */
    private record Piece(Buffer from, Buffer to) {}

    private final Backend backend;
    private final AxisShape shape;
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final List<Incoming> incoming = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final Consumer<Operations> exchange = this::sendAndReceive;

    /** The messages; null if this rank has none. */
    private final @Nullable Transfer inOrder;

    /** Those that travel beside what is computed; made when first needed. */
    private @Nullable Transfer beside;

    /**
     * Makes room for the messages.
     *
     * @param shape of this rank's part
     * @param before where rows before it arrive
     * @param after where those behind it do
     */
    GhostMessages(Backend backend, GhostRows rows, AxisShape shape, DataType type, Buffer before, Buffer after) {
        this.backend = backend;
        this.shape = shape;
        for (GhostRows.Strip strip : rows.leaving(backend.rank())) {
            AxisMatrix.Builder selection = AxisMatrix.of(shape.length());
            for (long i = 0; i < strip.rows(); i++) {
                selection.element(strip.source() + i, 1).endRow();
            }
            Buffer packed = backend.compute().buffer(type, shape.outer() * strip.rows() * shape.inner());
            outgoing.add(new Outgoing(strip.to(), selection.build(), packed));
        }
        for (GhostRows.Strip strip : rows.arriving(backend.rank())) {
            incoming.add(
                    new Incoming(strip.from(), arriving(strip, type, strip.before() ? before : after, rows.width())));
        }
        inOrder = outgoing.isEmpty() && incoming.isEmpty()
                ? null
                : backend.compute().transfer(backend.communicator(), false, exchange);
    }

    /** Returns where rows arrive: in the rim itself where they are contiguous there. */
    private Buffer arriving(GhostRows.Strip strip, DataType type, Buffer rim, int width) {
        long outer = shape.outer();
        long inner = shape.inner();
        long count = strip.rows() * inner;
        if (outer == 1 || strip.rows() == width) {
            return rim.slice(strip.first() * inner, outer * count);
        }
        Buffer packed = backend.compute().buffer(type, outer * count);
        for (long o = 0; o < outer; o++) {
            pieces.add(
                    new Piece(packed.slice(o * count, count), rim.slice((o * width + strip.first()) * inner, count)));
        }
        return packed;
    }

    @Override
    public void exchange(Buffer x) {
        pack(x);
        Transfer rows = inOrder;
        if (rows != null) {
            rows.begin();
            rows.end();
        }
        unpack();
    }

    @Override
    public void begin(Buffer x) {
        pack(x);
        if (inOrder != null) {
            Transfer rows = beside;
            if (rows == null) {
                rows = backend.compute().transfer(backend.communicator(), true, exchange);
                beside = rows;
            }
            rows.begin();
        }
    }

    @Override
    public void end() {
        Transfer rows = beside;
        if (rows != null) {
            rows.end();
        }
        unpack();
    }

    private void pack(Buffer x) {
        for (int i = 0; i < outgoing.size(); i++) {
            Outgoing each = outgoing.get(i);
            backend.compute().multiply(each.selection, shape.outer(), shape.inner(), x, each.packed);
        }
    }

    private void unpack() {
        for (int i = 0; i < pieces.size(); i++) {
            backend.compute().copy(pieces.get(i).from, pieces.get(i).to);
        }
    }

    private void sendAndReceive(Operations group) {
        for (int i = 0; i < outgoing.size(); i++) {
            group.send(outgoing.get(i).packed, outgoing.get(i).peer);
        }
        for (int i = 0; i < incoming.size(); i++) {
            group.recv(incoming.get(i).packed, incoming.get(i).peer);
        }
    }
}
