// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisShape;
import org.comm4j.math.HaloExchange;
import org.jspecify.annotations.Nullable;

/**
 * The rows of other ranks next to this rank's part of an array, along a divided axis. Where a neighbour has fewer rows
 * than are needed, the rest comes from the ranks behind it. Rows outside of the array are zero.
 *
 * <p>Where ranks write into each other's memory (NVSHMEM over NVLink) and each has rows of its neighbours only, an
 * exchange is one kernel. Elsewhere messages bring the rows.
 */
public final class Ghosts {
    /** More ranks than that are joined by a network. */
    private static final int MOST_WRITERS = 128;

    private final Backend backend;
    private final DataType type;
    private final GhostRows rows;
    private final AxisShape shape;
    private final Buffer before;
    private final Buffer after;

    /** How rows travel; known from the first exchange on. */
    private @Nullable HaloExchange way;

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
        this.backend = backend;
        this.type = type;
        rows = new GhostRows(layout, layout.axis(axis), width, backend.size());
        shape = AxisShape.of(rows.axis(), layout.localShape(backend.rank()));
        before = backend.compute().buffer(type, shape.outer() * width * shape.inner());
        after = backend.compute().buffer(type, shape.outer() * width * shape.inner());
    }

    /**
     * Collective: fetches the rows around this rank's part of {@code x}. Allocates nothing where the engine's messages
     * do not, but for the first time.
     */
    public void exchange(DistributedArray x) {
        check(x);
        way().exchange(x.part());
    }

    /**
     * Collective: starts to fetch the rows around this rank's part of {@code x}, which travel while this rank computes
     * until {@link #end}. The rows around are not to be used meanwhile, and {@code x} not to be changed.
     */
    public void begin(DistributedArray x) {
        check(x);
        way().begin(x.part());
    }

    /** Collective: makes the rows be there that {@link #begin} has started to fetch. */
    public void end() {
        way().end();
    }

    private void check(DistributedArray x) {
        if (!x.layout().equals(rows.layout()) || x.type() != type) {
            throw new IllegalArgumentException("Ghosts on rank " + backend.rank() + ": " + x + " must have the layout "
                    + rows.layout() + " and type " + type);
        }
    }

    /** Collective the first time. */
    private HaloExchange way() {
        HaloExchange known = way;
        if (known == null) {
            HaloExchange memory = backend.size() <= MOST_WRITERS && rows.isOfNeighbours() ? byMemory() : null;
            known = memory != null ? memory : new GhostMessages(backend, rows, shape, type, before, after);
            way = known;
        }
        return known;
    }

    private @Nullable HaloExchange byMemory() {
        long most = 0;
        for (int rank = 0; rank < backend.size(); rank++) {
            AxisShape part = AxisShape.of(rows.axis(), rows.layout().localShape(rank));
            most = Math.max(most, part.outer() * part.inner() * rows.width() * type.bytes());
        }
        return backend.compute().halo(backend.communicator(), most, side(true), side(false));
    }

    /** Returns what this rank and its neighbour on one side have of each other. */
    private HaloExchange.@Nullable Side side(boolean front) {
        for (GhostRows.Strip in : rows.arriving(backend.rank())) {
            for (GhostRows.Strip out : rows.leaving(backend.rank())) {
                if (in.before() == front && in.from() == out.to()) {
                    return new HaloExchange.Side(
                            in.from(),
                            slices(out.rows(), shape.length(), out.source()),
                            front ? before : after,
                            slices(in.rows(), rows.width(), in.first()));
                }
            }
        }
        return null;
    }

    private HaloExchange.Slices slices(long count, long length, long first) {
        long row = shape.inner() * type.bytes();
        return new HaloExchange.Slices(shape.outer(), count * row, length * row, first * row);
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
