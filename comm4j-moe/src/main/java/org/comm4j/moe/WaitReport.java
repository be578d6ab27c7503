// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.time.Duration;
import java.util.Locale;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;

/**
 * Report of a kernel that has waited for another PE in vain, as {@link Waiting} writes it.
 *
 * @param what a constant of {@link Waiting}
 * @param slot where the memory of the dispatch begins, in bytes
 * @param from the PE
 */
record WaitReport(int what, long slot, int from) {
    private static final double NANOS = 1e9;

    static WaitReport of(long code) {
        long line = (code & (1L << Waiting.WHAT_SHIFT) - 1) >>> Waiting.SLOT_SHIFT;
        return new WaitReport((int) (code >>> Waiting.WHAT_SHIFT), line * MoeMemory.LINE, (int)
                (code & (1L << Waiting.SLOT_SHIFT) - 1));
    }

    /** Returns what to throw: who waits for what of whom, since when, and whether that PE lives. */
    CommException failure(
            MoeSite pe, MoeMemory.Plan plan, MoeMachine machine, Duration timeout, ExpertPlacement placement) {
        String begin = call() + ": rank " + pe.myPe() + " waits for rank " + from + "'s "
                + switch (what) {
                    case Waiting.COUNTS -> "counts";
                    case Waiting.ROWS -> "rows" + parts(placement.local(pe.myPe()), rows(pe, plan, machine, placement));
                    case Waiting.MEETING -> "weights or gradients";
                    default -> "results" + parts(placement.local(from), results(plan, machine));
                };
        int dead = machine.dead().nextSetBit(0);
        if (dead >= 0) {
            return new RankFailedException(dead, begin + "; rank " + dead + " died");
        }
        String since = String.format(Locale.ROOT, " since %.1f s; rank %d lives and ", timeout.toNanos() / NANOS, from);
        return new CommTimeoutException(begin
                + since
                + switch (what) {
                    case Waiting.COUNTS -> "has not begun this dispatch";
                    case Waiting.ROWS -> "has begun this dispatch and has not sent them";
                    case Waiting.MEETING -> "has not called the same";
                    default -> "has not begun this combine";
                }
                + ": all PEs make the same calls in the same order");
    }

    private String call() {
        return switch (what) {
            case Waiting.RESULTS -> "combine";
            case Waiting.MEETING -> "fetch or reduceReplicas";
            default -> "dispatch";
        };
    }

    private static String parts(int[] experts, String rows) {
        return " (experts " + runs(experts) + rows + ")";
    }

    /** Rows of this PE's tokens that the other one has, of all of them. */
    private String results(MoeMemory.Plan plan, MoeMachine machine) {
        int tokens = (int) longs(machine, slot + MoeSpace.TOKENS, 1)[0];
        int there = 0;
        int all = 0;
        for (long place :
                longs(machine, slot + plan.places(), tokens * plan.shape().perToken())) {
            all += place < 0 ? 0 : 1;
            there += place >= 0 && (int) (place >>> 32) == from ? 1 : 0;
        }
        return ", " + there + " of " + all + " rows";
    }

    /** Rows that come from the other PE, of all that come; nothing where counts do not say it. */
    private String rows(MoeSite pe, MoeMemory.Plan plan, MoeMachine machine, ExpertPlacement placement) {
        int me = pe.myPe();
        int counters = plan.byRank() ? pe.nPes() : placement.slots();
        int first = me;
        int local = 1;
        if (!plan.byRank()) {
            first = 0;
            for (int i = 0; i < me; i++) {
                first += placement.local(i).length;
            }
            local = placement.local(me).length;
        }
        long[] words = longs(machine, slot + plan.words(), pe.nPes() * counters);
        long epoch = words[me * counters] >>> 32;
        long coming = 0;
        long all = 0;
        for (int source = 0; source < pe.nPes(); source++) {
            for (int e = first; e < first + local; e++) {
                long word = words[source * counters + e];
                // Rows along earlier routes come without counts; PEs with the same tokens share theirs.
                if (word >>> 32 != epoch || plan.options().group() > 1) {
                    return "";
                }
                all += (int) word;
                coming += source == from ? (int) word : 0;
            }
        }
        return all == 0 ? "" : ", " + coming + " of " + all + " rows";
    }

    private static long[] longs(MoeMachine machine, long offset, int count) {
        return machine.space()
                .slice(offset, (long) count * Long.BYTES)
                .view(DataType.INT64)
                .toLongArray();
    }

    /** Runs of neighbours. */
    private static String runs(int[] all) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < all.length; i++) {
            int first = i;
            while (i + 1 < all.length && all[i + 1] == all[i] + 1) {
                i++;
            }
            text.append(text.isEmpty() ? "" : ", ").append(all[first]).append(i > first ? " to " + all[i] : "");
        }
        return text.isEmpty() ? "none" : text.toString();
    }
}
