// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** What PEs tell each other of results: that all of them are there, or all that one group of PEs waits for. */
@KernelLibrary
final class Announcing {
    /** The report of too many parts of answers, instead of a group, and 1. */
    static final long PARTS_OF_ALL = 1L << 32;

    private Announcing() {}

    /** Says to all PEs that this PE's results are there. */
    static void announce(MoeSpace space, int epoch) {
        for (int i = ThreadIdx.x(); i < space.living(); i += BlockDim.x()) {
            tell(space, space.turn(i), epoch);
        }
    }

    private static void tell(MoeSpace space, int pe, int epoch) {
        I8Ptr there = space.at(pe);
        there.plus(space.answers() + 4L * space.me()).asI32().setRelease(0, epoch, Scope.SYSTEM);
    }

    /** Waits for the results of all PEs; whether they came, for those that this thread looked at. */
    static boolean announced(MoeSpace space, int epoch) {
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < space.living() && complete; i += BlockDim.x()) {
            complete = of(space, epoch, space.peer(i));
        }
        return complete;
    }

    /** Waits for the results of some routes; whether they came, for those that this thread looked at. */
    static boolean announced(MoeSpace space, int epoch, int firstRoute, int routes) {
        boolean complete = true;
        for (int i = ThreadIdx.x(); i < routes && complete; i += BlockDim.x()) {
            long place = space.place((long) firstRoute + i).get(0);
            complete = place < 0 || of(space, epoch, (int) (place >>> 32));
        }
        return complete;
    }

    private static boolean of(MoeSpace space, int epoch, int pe) {
        I32Ptr flag = space.base().plus(space.answers() + 4L * pe).asI32();
        return Waiting.flag(space, flag, epoch, Waiting.RESULTS, pe);
    }

    /** {@link FusedExperts#done}. */
    static void done(MoeSpace space, int row) {
        Block.sync();
        if (ThreadIdx.x() == 0) {
            int epoch = space.epoch().get(0);
            int group = group(space, epoch, row);
            if (group >= 0) {
                count(space, epoch, group, 1, 1);
            }
        }
    }

    /** {@link FusedExperts#donePart}. */
    static void donePart(MoeSpace space, int expert, int parts) {
        if (space.rankRows() == 0) {
            ofAll(space, parts);
            return;
        }
        Block.sync();
        int epoch = space.epoch().get(0);
        int rows = ThreadIdx.x() == 0 ? Counting.came(space, epoch, expert, 0) : 0;
        if (rows > 0) {
            count(space, epoch, expert, rows, parts);
        }
    }

    /** Counts parts of answers to all. The last one tells all PEs, each by another thread. */
    private static void ofAll(MoeSpace space, int parts) {
        int[] counted = Shared.i32(1);
        int epoch = space.epoch().get(0);
        Block.sync();
        if (ThreadIdx.x() == 0) {
            counted[0] = space.parts().atomicAdd(0, 1, Scope.DEVICE, Order.ACQ_REL) + 1;
        }
        Block.sync();
        int all = parts * space.local(space.me());
        if (counted[0] == all) {
            announce(space, epoch);
        } else if (counted[0] > all && ThreadIdx.x() == 0) {
            space.report().setVolatile(MoeSpace.REPORT_DONE, PARTS_OF_ALL);
        }
    }

    /** Counts parts of answers to a group, of which each answer has so many. The last one tells the group. */
    private static void count(MoeSpace space, int epoch, int group, int done, int parts) {
        I64Ptr words = space.base().plus(space.pending()).asI64();
        long now = words.getVolatile(group);
        // The first of a dispatch begins with all that came. What is left may fall below 0, so it counts as signed.
        if ((int) (now - (int) now >>> 32) != epoch) {
            long all = ((long) epoch << 32) + (long) total(space, epoch, group) * parts;
            long _ = words.atomicCas(group, now, all);
        }
        int left = (int) words.atomicAdd(group, -done, Scope.DEVICE, Order.ACQ_REL);
        if (left < done) {
            space.report().setVolatile(MoeSpace.REPORT_DONE, group + 1L);
        } else if (left == done) {
            for (int i = 0; i < space.living(); i++) {
                int pe = space.peer(i);
                if (pe / space.members() == group) {
                    tell(space, pe, epoch);
                }
            }
        }
    }

    /** The rows that this PE has of a group. */
    private static int total(MoeSpace space, int epoch, int group) {
        if (space.rankRows() > 0) {
            return Counting.came(space, epoch, group, 0);
        }
        int all = 0;
        for (int e = 0; e < space.local(space.me()); e++) {
            all += Counting.came(space, epoch, group, e);
        }
        return all;
    }

    /** The group of PEs that a row comes from; -1 if counts do not say it. */
    private static int group(MoeSpace space, int epoch, int row) {
        if (space.rankRows() > 0) {
            return Counting.came(space, epoch, row / space.rankRows(), 0) > 0 ? row / space.rankRows() : -1;
        }
        I8Ptr base = space.base();
        boolean padded = space.maxRows() > 0;
        int expert = padded
                ? row / space.maxRows()
                : base.plus(space.rowExperts()).asI32().get(row);
        int number = row
                - (padded
                        ? expert * space.maxRows()
                        : base.plus(space.starts()).asI32().get(expert));
        for (int group = 0; group < space.pes() / space.members(); group++) {
            int came = Counting.came(space, epoch, group, expert);
            if (number < came) {
                return group;
            }
            number -= came;
        }
        return -1;
    }
}
