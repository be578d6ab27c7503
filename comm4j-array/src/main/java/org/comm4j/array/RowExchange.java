// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.AxisShape;

/**
 * Any rows of an array, along a divided axis, on the ranks that need them: one allToAllV. It is planned once
 * and used for any number of arrays of a type.
 */
public final class RowExchange {
    /** Rows for one rank: a selection of this rank's, and where they go. */
    private record Strip(AxisMatrix rows, Buffer to) {}

    /** Rows of one rank in what has arrived, and where they go. */
    private record Piece(Buffer from, Buffer to) {}

    private final Backend backend;
    private final Layout layout;
    private final int axis;
    private final long outer;
    private final long inner;
    private final long[] sendCounts;
    private final long[] receiveCounts;
    private final List<Strip> strips = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final Buffer outgoing;
    private final Buffer incoming;
    private final Buffer rows;
    private final Messages messages;

    /**
     * Plans the exchange; does not communicate.
     *
     * @param layout of the arrays
     * @param axis a divided one
     * @param needed returns the rows that a rank needs, in ascending order; all ranks know them of all
     */
    public RowExchange(Backend backend, Layout layout, int axis, DataType type, IntFunction<long[]> needed) {
        this.backend = backend;
        this.layout = layout;
        this.axis = axis;
        AxisShape shape = AxisShape.of(axis, layout.localShape(backend.rank()));
        outer = shape.outer();
        inner = shape.inner();
        int ranks = backend.size();
        int mine = backend.rank();
        sendCounts = new long[ranks];
        receiveCounts = new long[ranks];
        long[][] send = new long[ranks][];
        long[] own = needed.apply(mine);
        long sent = 0;
        long most = 0;
        for (int r = 0; r < ranks; r++) {
            long[] theirs = r == mine ? own : needed.apply(r);
            boolean inLine = layout.areInLine(r, mine, axis);
            send[r] = inLine ? owned(theirs, mine) : new long[0];
            sendCounts[r] = outer * send[r].length * inner;
            receiveCounts[r] = inLine ? outer * owned(own, r).length * inner : 0;
            sent += sendCounts[r];
            AxisShape part = AxisShape.of(axis, layout.localShape(r));
            most = Math.max(most, part.outer() * theirs.length * part.inner());
        }
        outgoing = backend.compute().buffer(type, sent);
        long count = outer * own.length * inner;
        incoming = backend.compute().buffer(type, count);
        rows = outer == 1 ? incoming : backend.compute().buffer(type, count);
        messages = new Messages(backend, type, most, sendCounts, receiveCounts);
        planSends(send);
        if (outer != 1) {
            planPieces();
        }
    }

    private void planSends(long[]... send) {
        long length = layout.localShape(backend.rank())[axis];
        long at = 0;
        for (int r = 0; r < send.length; r++) {
            if (sendCounts[r] > 0) {
                AxisMatrix.Builder selection = AxisMatrix.of(length);
                for (long row : send[r]) {
                    selection
                            .element(row - layout.start(backend.rank(), axis), 1)
                            .endRow();
                }
                strips.add(new Strip(selection.build(), outgoing.slice(at, sendCounts[r])));
            }
            at += sendCounts[r];
        }
    }

    /** From one block for each rank to one block for each outer slice. */
    private void planPieces() {
        long total = rows.count() / Math.max(1, outer * inner);
        long from = 0;
        long first = 0;
        for (long count : receiveCounts) {
            long strip = inner == 0 || outer == 0 ? 0 : count / outer / inner;
            for (long o = 0; o < outer && strip > 0; o++) {
                pieces.add(new Piece(
                        incoming.slice(from, strip * inner), rows.slice((o * total + first) * inner, strip * inner)));
                from += strip * inner;
            }
            first += strip;
        }
    }

    private long[] owned(long[] needed, int rank) {
        long start = layout.start(rank, axis);
        long end = start + layout.localShape(rank)[axis];
        return Arrays.stream(needed).filter(row -> row >= start && row < end).toArray();
    }

    /**
     * Collective: returns the rows of {@code x} that this rank needs, in ascending order, with the shape of the array
     * otherwise. The next call overwrites them. Allocates nothing.
     */
    public Buffer exchange(DistributedArray x) {
        for (int i = 0; i < strips.size(); i++) {
            Strip strip = strips.get(i);
            backend.compute().multiply(strip.rows, outer, inner, x.part(), strip.to);
        }
        messages.run(outgoing, incoming);
        for (int i = 0; i < pieces.size(); i++) {
            backend.compute().copy(pieces.get(i).from, pieces.get(i).to);
        }
        return rows;
    }
}
