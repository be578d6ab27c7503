// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import org.jspecify.annotations.Nullable;

/**
 * PEs that synchronise: what is below a {@link Team}. After a wait in vain they are out of step, and all methods but
 * {@code close} throw.
 */
abstract class Members {
    /** The PEs of the members, in their order. */
    final int[] pes;

    /** This PE's number among them. */
    final int rank;

    Members(int[] pes, int myPe) {
        this.pes = pes;
        this.rank = memberOf(pes, myPe);
    }

    static int memberOf(int[] pes, int pe) {
        // Most teams are all PEs, or every n-th.
        if (pe >= 0 && pe < pes.length && pes[pe] == pe) {
            return pe;
        }
        for (int member = 0; member < pes.length; member++) {
            if (pes[member] == pe) {
                return member;
            }
        }
        return -1;
    }

    /**
     * Whether all members' memory is within reach, so that they can go {@linkplain #arrive step by step}; otherwise
     * they can {@link #sync} and {@link #exchange}.
     */
    abstract boolean areNear();

    // ---- steps, of members that are near ----

    /**
     * Bytes that a member can publish at a step. A copy more against one synchronisation less: where the others have
     * the sources in their caches already, it is no longer worth it from 1 KiB on, where these have just been written,
     * up to 4 or 16 KiB.
     */
    static final int EAGER = 4 << 10;

    /** The step at which this member arrived last. */
    abstract long step();

    /** Waits until this member may publish something for its next step: all have arrived at its last one. */
    abstract void ready(String what);

    /**
     * Where a member publishes for a step, in {@link Engine#memory}. It is this member's own from {@link #ready} on;
     * what another one put there is there until this one arrives at its next step.
     */
    abstract long eager(int member, long step);

    /** Comes to the next step and returns its number; what was stored before is published. */
    abstract long arrive(String what);

    /** Waits until a member has arrived at a step; what it published is visible after. */
    abstract void await(String what, int member, long step);

    /** Waits until all have arrived at a step. */
    abstract void awaitAll(String what, long step);

    // ---- what they call ----

    /**
     * Says what this member calls from now on, in the words of {@link org.comm4j.host.Signature}. Members that can tell
     * each other with every step do so, and find calls that do not fit together.
     */
    void calls(long head, long count) {
        // It would be a message more.
    }

    // ---- all together ----

    /** Returns when all have called it; what each stored or put before it is visible after. */
    abstract void sync(String what);

    /** The words of every member, result[member]; a synchronisation. At most 16. */
    abstract long[][] exchange(String what, long... words);

    /**
     * Members with the same color, in the order of key and then of this.
     *
     * @param color at least 0, or −1 to take no part, which gives null
     */
    abstract @Nullable Members split(String what, int color, int key);

    /** Not collective. */
    abstract void close();
}
