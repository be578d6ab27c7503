// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;
import org.comm4j.math.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * The way of arrays from one layout to another, slab by slab: one allToAllV each, which travels while others are
 * computed. One of the layouts is divided along axis 0; a slab is a share of the rows of each rank. There is room for
 * two slabs on their way, so that slab s must have come before slab s + 2 begins.
 */
public final class SlabExchange {
    private static final int ROOM = 2;

    private final Backend backend;
    private final Layout from;
    private final Layout to;
    private final DataType type;
    private final boolean ofSource;
    private final Compute compute;
    private final Way[] ways;
    /** Those that were begun before. */
    private final @Nullable Transfer[] transfers;

    private final Buffer[] outgoing = new Buffer[ROOM];
    private final Buffer[] incoming = new Buffer[ROOM];

    private record Way(Packing send, Packing receive, Buffer outgoing, Buffer incoming, Messages messages) {}

    /**
     * Plans the way; does not communicate.
     *
     * @param from a divided layout
     * @param to a divided layout of the same shape
     * @param slabs number of slabs, at least 1
     * @param ofSource whether slabs are rows of {@code from}, which is divided along axis 0; else of {@code to}
     */
    public SlabExchange(Backend backend, Layout from, Layout to, DataType type, int slabs, boolean ofSource) {
        this(backend, from, to, type, slabs, ofSource, null);
    }

    private SlabExchange(
            Backend backend,
            Layout from,
            Layout to,
            DataType type,
            int slabs,
            boolean ofSource,
            @Nullable SlabExchange sharing) {
        this.backend = backend;
        this.from = from;
        this.to = to;
        this.type = type;
        this.ofSource = ofSource;
        compute = backend.compute();
        Layout sliced = ofSource ? from : to;
        if (slabs < 1 || sliced.partition() != Partition.SCATTERED || sliced.axis() != 0) {
            throw new IllegalArgumentException(
                    "SlabExchange: " + slabs + " slabs of " + sliced + ", which must be divided along axis 0");
        }
        int mine = backend.rank();
        Packing[] send = new Packing[slabs];
        Packing[] receive = new Packing[slabs];
        long most = 0;
        for (int s = 0; s < slabs; s++) {
            long slab = begin(sliced, mine, s + 1, slabs) - begin(sliced, mine, s, slabs);
            send[s] = new Packing(compute, true, backend.size(), ofSource ? slab : from.localSize(mine));
            receive[s] = new Packing(compute, false, backend.size(), ofSource ? to.localSize(mine) : slab);
            for (int r = 0; r < backend.size(); r++) {
                runs(from, mine, s, slabs, ofSource).meet(runs(to, r, s, slabs, !ofSource), send[s], r);
                runs(to, mine, s, slabs, !ofSource).meet(runs(from, r, s, slabs, ofSource), receive[s], r);
            }
            send[s].end();
            receive[s].end();
            most = Math.max(most, Math.max(send[s].total(), receive[s].total()));
        }
        for (int i = 0; i < ROOM; i++) {
            outgoing[i] = sharing == null ? compute.buffer(type, most) : sharing.outgoing[i];
            incoming[i] = sharing == null ? compute.buffer(type, most) : sharing.incoming[i];
        }
        ways = new Way[slabs];
        transfers = new Transfer[slabs];
        for (int s = 0; s < slabs; s++) {
            long[] sent = send[s].counts();
            long[] received = receive[s].counts();
            Buffer out = outgoing[s % ROOM].slice(0, send[s].total());
            Buffer in = incoming[s % ROOM].slice(0, receive[s].total());
            Messages messages = new Messages(backend, type, largest(s, slabs), sent, received);
            ways[s] = new Way(send[s], receive[s], out, in, messages);
        }
    }

    /** Returns at least the elements of a slab on the rank that receives most. */
    private long largest(int slab, int slabs) {
        Layout sliced = ofSource ? from : to;
        long most = 0;
        long whole = 0;
        for (int rank = 0; rank < backend.size(); rank++) {
            long mine = begin(sliced, rank, slab + 1, slabs) - begin(sliced, rank, slab, slabs);
            whole += mine;
            most = Math.max(most, ofSource ? to.localSize(rank) : mine);
        }
        return Math.min(most, whole);
    }

    /** Returns the way back, of the same slabs and with the same memory: only one of both is under way. */
    public SlabExchange back() {
        return new SlabExchange(backend, to, from, type, ways.length, !ofSource, this);
    }

    /** Returns where a slab begins in a rank's part of a layout that is divided along axis 0, in elements. */
    private static long begin(Layout layout, int rank, int slab, int slabs) {
        long rows = layout.localShape(rank)[0];
        return rows == 0 ? 0 : row(rows, slab, slabs) * (layout.localSize(rank) / rows);
    }

    /** Returns the first row of a slab; of {@code slab = slabs} the number of rows. */
    public static long row(long rows, int slab, int slabs) {
        return rows * slab / slabs;
    }

    private static Runs runs(Layout layout, int rank, int slab, int slabs, boolean sliced) {
        return sliced
                ? new Runs(layout, rank, begin(layout, rank, slab, slabs), begin(layout, rank, slab + 1, slabs))
                : new Runs(layout, rank);
    }

    /**
     * Collective: starts the way of a slab.
     *
     * @param x the slab if slabs are rows of the source, else the whole part; free when this returns, in the order of
     *     what is computed
     */
    public void begin(int slab, Buffer x) {
        Way way = ways[slab];
        if (way.send.isPacked()) {
            compute.copy(x, way.outgoing);
        } else {
            way.send.move(x, way.outgoing);
        }
        Transfer transfer = transfers[slab];
        if (transfer == null) {
            transfer = way.messages.beside(way.outgoing, way.incoming);
            transfers[slab] = transfer;
        }
        transfer.begin();
    }

    /**
     * Collective: ends the way of a slab.
     *
     * @param y the whole part if slabs are rows of the source, of which the slab's elements are set; else the slab
     */
    public void end(int slab, Buffer y) {
        Way way = ways[slab];
        Transfer transfer = transfers[slab];
        if (transfer == null) {
            throw new IllegalStateException("SlabExchange: slab " + slab + " was not begun");
        }
        transfer.end();
        if (way.receive.isPacked()) {
            compute.copy(way.incoming, y);
        } else {
            way.receive.move(y, way.incoming);
        }
    }
}
