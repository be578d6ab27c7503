// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The halo of one rank among several in this process, each with a slab and a thread of its own (or taking turns on one
 * thread). Rows are written straight into the neighbour's landing buffers, as a one-sided put does it; a count for each
 * side and stripe is the signal.
 */
final class ThreadHalo implements HaloExchange {

    /** Where a neighbour's rows land: two buffers for each stripe, used in turn. */
    private static final class Landing {
        final MemorySegment[] buffers;
        final AtomicLongArray arrived;

        Landing(int nx, int stripes, int depth) {
            buffers = new MemorySegment[] {
                MemorySegment.ofArray(new float[depth * nx]), MemorySegment.ofArray(new float[depth * nx])
            };
            arrived = new AtomicLongArray(stripes);
        }
    }

    private final Landing[][] landings;
    private final int rank;
    private final long[] sent;
    private final long[] received;

    private ThreadHalo(Landing[][] landings, int rank, int stripes) {
        this.landings = landings;
        this.rank = rank;
        sent = new long[stripes];
        received = new long[stripes];
    }

    /** One halo for each of the slabs, which are the ranks in order. */
    static HaloExchange[] of(Slab[] slabs) {
        int ranks = slabs.length;
        Landing[][] landings = new Landing[ranks][2];
        HaloExchange[] halos = new HaloExchange[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            Slab slab = slabs[rank];
            for (Side side : Side.values()) {
                landings[rank][side.ordinal()] = new Landing(slab.problem().nx(), slab.stripes(), slab.depth());
            }
            halos[rank] = new ThreadHalo(landings, rank, slab.stripes());
        }
        return halos;
    }

    @Override
    public void receive(Slab slab, int stripe, int depth) {
        long turn = received[stripe]++;
        for (Side side : Side.values()) {
            Landing landing = landings[rank][side.ordinal()];
            while (landing.arrived.getAcquire(stripe) <= turn) {
                Thread.onSpinWait();
            }
            slab.putHalo(side, stripe, depth, landing.buffers[(int) (turn & 1)], offset(slab, stripe));
        }
    }

    @Override
    public void send(Slab slab, int stripe, int depth) {
        long turn = sent[stripe]++;
        for (Side side : Side.values()) {
            Landing landing = landings[side.neighbour(rank, landings.length)][
                    side.opposite().ordinal()];
            slab.getBorder(side, stripe, depth, landing.buffers[(int) (turn & 1)], offset(slab, stripe));
            landing.arrived.setRelease(stripe, turn + 1);
        }
    }

    private static long offset(Slab slab, int stripe) {
        return (long) slab.depth() * slab.firstColumn(stripe) * Float.BYTES;
    }
}
