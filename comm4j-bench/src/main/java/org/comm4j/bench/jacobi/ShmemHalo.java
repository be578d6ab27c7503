// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SignalOp;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;

/**
 * The halo between processes: border rows are put straight into the neighbour's symmetric memory, then a signal says that they
 * are there.
 *
 * <p>For each side and stripe there are two landing places, used in turn. A rank sends the border of sweep k + 1 after it
 * received its neighbours' of sweep k, so it is never more than one sweep ahead of them and never writes where they still read.
 */
public final class ShmemHalo implements HaloExchange {
    private final HostShmem shmem;
    private final int stripes;
    private final long placeBytes;
    private final SymmetricArray landing;
    /** For each side and stripe the number of the last sweep whose rows have arrived. */
    private final SymmetricArray arrived;

    private final MemorySegment here;
    private final MemorySegment[] atNeighbour = new MemorySegment[Side.values().length];
    private final int[] neighbour = new int[Side.values().length];
    private final long[] sent;
    private final long[] received;

    /** Collective over all PEs, which pass slabs of the same problem and depth. */
    public ShmemHalo(HostShmem shmem, Slab slab) {
        this.shmem = shmem;
        this.stripes = slab.stripes();
        int widest = 0;
        for (int stripe = 0; stripe < stripes; stripe++) {
            widest = Math.max(widest, slab.columns(stripe));
        }
        long place = (long) slab.depth() * widest;
        this.placeBytes = place * Float.BYTES;
        int sides = Side.values().length;
        this.landing = shmem.allocate(DataType.FLOAT32, 2L * sides * stripes * place);
        this.arrived = shmem.allocate(DataType.INT64, (long) sides * stripes);
        this.here = landing.segment();
        for (Side side : Side.values()) {
            neighbour[side.ordinal()] = side.neighbour(shmem.myPe(), shmem.nPes());
            atNeighbour[side.ordinal()] =
                    shmem.ptr(landing, neighbour[side.ordinal()]).segment();
        }
        this.sent = new long[stripes];
        this.received = new long[stripes];
    }

    private int index(Side side, int stripe) {
        return side.ordinal() * stripes + stripe;
    }

    private long place(Side side, int stripe, long sweep) {
        return ((sweep & 1) * Side.values().length * stripes + index(side, stripe)) * placeBytes;
    }

    @Override
    public void send(Slab slab, int stripe, int depth) {
        long sweep = ++sent[stripe];
        for (Side side : Side.values()) {
            // What leaves upwards arrives from below.
            Side there = side.opposite();
            slab.getBorder(side, stripe, depth, atNeighbour[side.ordinal()], place(there, stripe, sweep));
            shmem.signal(arrived, index(there, stripe), sweep, SignalOp.SET, neighbour[side.ordinal()]);
        }
    }

    @Override
    public void receive(Slab slab, int stripe, int depth) {
        long sweep = ++received[stripe];
        for (Side side : Side.values()) {
            long seen = shmem.signalWaitUntil(arrived, index(side, stripe), Comparison.GE, sweep);
            assert seen <= sweep + 1 : "a neighbour is " + (seen - sweep) + " sweeps ahead";
            slab.putHalo(side, stripe, depth, here, place(side, stripe, sweep));
        }
    }

    /** Collective: frees the landing places. */
    @Override
    public void close() {
        landing.close();
        arrived.close();
    }
}
