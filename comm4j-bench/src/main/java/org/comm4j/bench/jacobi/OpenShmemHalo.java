// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/**
 * The halo between PEs of OpenSHMEM: border rows go into the neighbour's symmetric memory with a signal that says that they are there ({@code shmem_put_signal}).
 *
 * <p>For each side and stripe there are two landing places, used in turn, as in {@link ShmemHalo}.
 */
final class OpenShmemHalo implements HaloExchange {
    private final OpenShmem shmem;
    private final int stripes;
    /** In elements. */
    private final long place;

    private final SymmetricArray landing;
    /** For each side and stripe the number of the last sweep whose rows have arrived. */
    private final SymmetricArray arrived;
    /** The rows that are about to be put. */
    private final HostArray border;

    private final int[] neighbour = new int[Side.values().length];
    private final long[] sent;
    private final long[] received;

    /** Collective over all PEs, which pass slabs of the same problem and depth. */
    OpenShmemHalo(OpenShmem shmem, Slab slab) {
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
        for (Side side : Side.values()) {
            neighbour[side.ordinal()] = side.neighbour(shmem.myPe(), shmem.nPes());
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
        long count = (long) depth * slab.columns(stripe);
        for (Side side : Side.values()) {
            // What leaves upwards arrives from below.
            Side there = side.opposite();
            slab.getBorder(side, stripe, depth, border.segment(), 0);
            shmem.putSignal(
                    landing.slice(place(there, stripe, sweep), count),
                    border,
                    count,
                    arrived,
                    index(there, stripe),
                    sweep,
                    SignalOp.SET,
                    neighbour[side.ordinal()]);
        }
    }

    @Override
    public void receive(Slab slab, int stripe, int depth) {
        long sweep = ++received[stripe];
        for (Side side : Side.values()) {
            long seen = shmem.signalWaitUntil(arrived, index(side, stripe), Comparison.GE, sweep);
            assert seen <= sweep + 1 : "a neighbour is " + (seen - sweep) + " sweeps ahead";
            slab.putHalo(side, stripe, depth, landing.segment(), place(side, stripe, sweep) * Float.BYTES);
        }
    }

    @Override
    public void close() {
        arrived.close();
        landing.close();
    }
}
