// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * The halo between PEs of OpenSHMEM: border rows go into the neighbour's symmetric memory, then a signal says that they
 * are there. Rows for a neighbour within reach are written there straight from the grid; for others they are gathered
 * and put ({@code shmem_put_signal}).
 *
 * <p>For each side and stripe there are two landing places, used in turn. A rank sends the border of sweep k + 1 after
 * it received its neighbours' of sweep k, so it is never more than one sweep ahead of them and never writes where they
 * still read.
 */
final class ShmemHalo implements HaloExchange {
    private final OpenShmem shmem;
    private final int stripes;
    /** In elements. */
    private final long place;

    private final SymmetricArray landing;
    /** For each side and stripe the number of the last sweep whose rows have arrived. */
    private final SymmetricArray arrived;

    private final MemorySegment here;
    /** By side, the neighbour's {@link #landing}; null if it is out of reach. */
    private final @Nullable MemorySegment[] atNeighbour = new MemorySegment[Side.values().length];

    private final int[] neighbour = new int[Side.values().length];
    /** The rows that are about to be put. */
    private final HostArray border;

    private final long[] sent;
    private final long[] received;

    /** Collective over all PEs, which pass slabs of the same problem and depth. */
    ShmemHalo(OpenShmem shmem, Slab slab) {
        this.shmem = shmem;
        this.stripes = slab.stripes();
        int widest = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            widest = Math.max(widest, slab.columns(stripe));
        }
        this.place = (long) slab.depth() * widest;
        int sides = Side.values().length;
        this.landing = shmem.allocate(DataType.FLOAT32, 2L * sides * stripes * place);
        this.arrived = shmem.allocate(DataType.INT64, (long) sides * stripes);
        this.border = HostArray.allocate(DataType.FLOAT32, place);
        this.here = landing.segment();
        for (Side side : Side.values()) {
            int pe = side.neighbour(shmem.myPe(), shmem.nPes());
            neighbour[side.ordinal()] = pe;
            HostArray there = shmem.ptr(landing, pe);
            atNeighbour[side.ordinal()] = there == null ? null : there.segment();
        }
        this.sent = new long[stripes];
        this.received = new long[stripes];
    }

    private int index(Side side, int stripe) {
        return side.ordinal() * stripes + stripe;
    }

    /** The first element of a landing place. */
    private long place(Side side, int stripe, long sweep) {
        return ((sweep & 1) * Side.values().length * stripes + index(side, stripe)) * place;
    }

    @Override
    public void send(Slab slab, int stripe, int depth) {
        long sweep = ++sent[stripe];
        for (Side side : Side.values()) {
            // What leaves upwards arrives from below.
            Side opposite = side.opposite();
            long to = place(opposite, stripe, sweep);
            int signal = index(opposite, stripe);
            int pe = neighbour[side.ordinal()];
            MemorySegment there = atNeighbour[side.ordinal()];
            if (there != null) {
                slab.getBorder(side, stripe, depth, there, to * Float.BYTES);
                shmem.fence();
                shmem.signal(arrived, signal, sweep, SignalOp.SET, pe);
            } else {
                long count = (long) depth * slab.columns(stripe);
                slab.getBorder(side, stripe, depth, border.segment(), 0);
                shmem.putSignal(landing.slice(to, count), border, count, arrived, signal, sweep, SignalOp.SET, pe);
            }
        }
    }

    @Override
    public void receive(Slab slab, int stripe, int depth) {
        long sweep = ++received[stripe];
        for (Side side : Side.values()) {
            long seen = shmem.signalWaitUntil(arrived, index(side, stripe), Comparison.GE, sweep);
            assert seen <= sweep + 1 : "a neighbour is " + (seen - sweep) + " sweeps ahead";
            slab.putHalo(side, stripe, depth, here, place(side, stripe, sweep) * Float.BYTES);
        }
    }

    @Override
    public void close() {
        arrived.close();
        landing.close();
    }
}
