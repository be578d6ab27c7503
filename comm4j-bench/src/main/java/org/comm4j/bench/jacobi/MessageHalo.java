// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.Objects;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Request;
import org.jspecify.annotations.Nullable;

/**
 * The halo between ranks that send messages: as soon as a stripe is done its borders leave and its halo for the next
 * sweep is awaited, all four as one asynchronous group, while the next stripes are computed. Ranks go through the
 * stripes in the same order, so that the groups of neighbours fit together.
 */
final class MessageHalo implements HaloExchange {
    private static final int SIDES = Side.values().length;

    private final Communicator comm;
    /** Borders to send and halos that come, by stripe and side. */
    private final HostArray[] borders;

    private final HostArray[] halos;
    private final @Nullable Request[] underWay;

    MessageHalo(Communicator comm, Slab slab) {
        this.comm = comm;
        int stripes = slab.stripes();
        this.borders = new HostArray[stripes * SIDES];
        this.halos = new HostArray[stripes * SIDES];
        this.underWay = new Request[stripes];
        for (int stripe = 0; stripe < stripes; stripe++) {
            long count = (long) slab.depth() * slab.columns(stripe);
            for (Side side : Side.values()) {
                borders[index(side, stripe)] = (HostArray) comm.allocate(DataType.FLOAT32, count);
                halos[index(side, stripe)] = (HostArray) comm.allocate(DataType.FLOAT32, count);
            }
        }
    }

    private static int index(Side side, int stripe) {
        return stripe * SIDES + side.ordinal();
    }

    @Override
    public void send(Slab slab, int stripe, int depth) {
        settle(stripe);
        for (Side side : Side.values()) {
            slab.getBorder(side, stripe, depth, borders[index(side, stripe)].segment(), 0);
        }
        long count = (long) depth * slab.columns(stripe);
        underWay[stripe] = comm.groupAsync(group -> {
            for (Side side : Side.values()) {
                // What leaves upwards arrives from below, also where both neighbours are one rank.
                Side opposite = side.opposite();
                group.send(borders[index(side, stripe)].slice(0, count), side.neighbour(comm.rank(), comm.size()));
                group.recv(
                        halos[index(opposite, stripe)].slice(0, count), opposite.neighbour(comm.rank(), comm.size()));
            }
        });
    }

    @Override
    public void receive(Slab slab, int stripe, int depth) {
        Objects.requireNonNull(underWay[stripe], "nothing was sent before").await();
        underWay[stripe] = null;
        for (Side side : Side.values()) {
            slab.putHalo(side, stripe, depth, halos[index(side, stripe)].segment(), 0);
        }
    }

    private void settle(int stripe) {
        Request before = underWay[stripe];
        if (before != null) {
            before.await();
            underWay[stripe] = null;
        }
    }

    @Override
    public void close() {
        for (int stripe = 0; stripe < underWay.length; stripe++) {
            settle(stripe);
        }
    }
}
