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
import org.comm4j.math.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of other ranks next to this rank's part of an array, along a divided axis. Where a neighbour has fewer rows
 * than are needed, the rest comes from the ranks behind it. Rows outside of the array are zero.
 */
public final class Ghosts {
    /** Rows that go to, or come from, one rank: contiguous in each of the outer slices. */
    private record Strip(int peer, Buffer packed, boolean before, long firstRow, long rows) {}

    /** Rows in one outer slice of what has arrived, and where they go. */
    private record Piece(Buffer from, Buffer to) {}

    private final Backend backend;
    private final Layout layout;
    private final int axis;
    private final DataType type;
    private final int width;
    private final long outer;
    private final long inner;
    private final Buffer before;
    private final Buffer after;
    private final List<Strip> outgoing = new ArrayList<>();
    private final List<Strip> incoming = new ArrayList<>();
    /** The selections of this rank's rows that go to others, in the order of {@link #outgoing}. */
    private final List<AxisMatrix> selections = new ArrayList<>();

    private final List<Piece> pieces = new ArrayList<>();
    private final Consumer<Operations> exchange = this::sendAndReceive;
    /** The messages; null if this rank has none. */
    private final @Nullable Transfer inOrder;

    /** Those that travel beside what is computed; made when first needed. */
    private @Nullable Transfer beside;

    /**
     * Makes room for ghost rows along the one divided axis; does not communicate.
     *
     * @param layout of the arrays, scattered
     * @param type of their elements
     * @param width number of rows on each side
     */
    public Ghosts(Backend backend, Layout layout, DataType type, int width) {
        this(backend, layout, layout.axis(), type, width);
    }

    /**
     * Makes room for ghost rows along one axis; does not communicate.
     *
     * @param layout of the arrays
     * @param axis a divided one
     * @param type of their elements
     * @param width number of rows on each side
     */
    public Ghosts(Backend backend, Layout layout, int axis, DataType type, int width) {
        if (width < 0 || !layout.isDivided(layout.axis(axis))) {
            throw new IllegalArgumentException("Ghosts: " + width + " rows along axis " + axis + " of " + layout
                    + ", which must be divided there");
        }
        this.axis = layout.axis(axis);
        this.backend = backend;
        this.layout = layout;
        this.type = type;
        this.width = width;
        AxisShape shape = AxisShape.of(this.axis, layout.localShape(backend.rank()));
        outer = shape.outer();
        inner = shape.inner();
        this.before = backend.compute().buffer(type, outer * width * inner);
        after = backend.compute().buffer(type, outer * width * inner);
        for (int r = 0; r < backend.size(); r++) {
            if (r != backend.rank() && layout.areInLine(r, backend.rank(), this.axis)) {
                strips(r);
            }
        }
        plan();
        inOrder = outgoing.isEmpty() && incoming.isEmpty()
                ? null
                : backend.compute().transfer(backend.communicator(), false, exchange);
    }

    private void plan() {
        long length = end(backend.rank()) - start(backend.rank());
        for (Strip strip : outgoing) {
            AxisMatrix.Builder selection = AxisMatrix.of(length);
            for (long i = 0; i < strip.rows; i++) {
                selection.element(strip.firstRow + i, 1).endRow();
            }
            selections.add(selection.build());
        }
        for (Strip strip : incoming) {
            Buffer rim = strip.before ? before : after;
            long count = strip.rows * inner;
            for (long o = 0; o < outer && outer > 1 && strip.rows < width; o++) {
                pieces.add(new Piece(
                        strip.packed.slice(o * count, count), rim.slice((o * width + strip.firstRow) * inner, count)));
            }
        }
    }

    private long start(int rank) {
        return layout.start(rank, axis);
    }

    private long end(int rank) {
        return start(rank) + layout.localShape(rank)[axis];
    }

    /** Finds what this rank and another one need of each other. */
    private void strips(int other) {
        int mine = backend.rank();
        if (start(mine) == end(mine) || start(other) == end(other)) {
            return;
        }
        add(true, other, true, start(mine) - width, start(mine), start(other), end(other), start(mine) - width);
        add(true, other, false, end(mine), end(mine) + width, start(other), end(other), end(mine));
        add(false, other, true, start(other) - width, start(other), start(mine), end(mine), start(mine));
        add(false, other, false, end(other), end(other) + width, start(mine), end(mine), start(mine));
    }

    private void add(
            boolean arrives, int peer, boolean front, long from, long to, long ownStart, long ownEnd, long base) {
        long first = Math.max(from, ownStart);
        long rows = Math.min(to, ownEnd) - first;
        if (rows > 0) {
            Buffer packed = arrives
                    ? arriving(front ? before : after, first - base, rows)
                    : backend.compute().buffer(type, outer * rows * inner);
            (arrives ? incoming : outgoing).add(new Strip(peer, packed, front, first - base, rows));
        }
    }

    /** Returns where rows arrive: in the rim itself where they are contiguous there. */
    private Buffer arriving(Buffer rim, long firstRow, long rows) {
        return outer == 1 || rows == width
                ? rim.slice(firstRow * inner, outer * rows * inner)
                : backend.compute().buffer(type, outer * rows * inner);
    }

    /**
     * Collective: fetches the rows around this rank's part of {@code x}. Allocates nothing where the engine's messages
     * do not.
     */
    public void exchange(DistributedArray x) {
        check(x);
        pack(x);
        Transfer rows = inOrder;
        if (rows != null) {
            rows.begin();
            rows.end();
        }
        unpack();
    }

    /**
     * Collective: starts to fetch the rows around this rank's part of {@code x}, which travel while this rank computes
     * until {@link #end}. The rows around are not to be used meanwhile, and {@code x} not to be changed.
     */
    public void begin(DistributedArray x) {
        check(x);
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

    /** Collective: makes the rows be there that {@link #begin} has started to fetch. */
    public void end() {
        Transfer rows = beside;
        if (rows != null) {
            rows.end();
        }
        unpack();
    }

    private void check(DistributedArray x) {
        if (!x.layout().equals(layout) || x.type() != type) {
            throw new IllegalArgumentException("Ghosts on rank " + backend.rank() + ": " + x + " must have the layout "
                    + layout + " and type " + type);
        }
    }

    private void pack(DistributedArray x) {
        for (int i = 0; i < outgoing.size(); i++) {
            backend.compute().multiply(selections.get(i), outer, inner, x.part(), outgoing.get(i).packed);
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

    /** Returns the rows before this rank's part: as many as the width, in the order of the array. */
    public Buffer before() {
        return before;
    }

    /** Returns the rows after this rank's part: as many as the width, in the order of the array. */
    public Buffer after() {
        return after;
    }
}
