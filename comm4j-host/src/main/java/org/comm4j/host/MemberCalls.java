// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.host.SharedHeap.LONG;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.CollectiveMismatchException;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain Signature calls} of a team's members, step by step, and the mismatch that a member has found.
 *
 * <p>A member writes its call into the cache line of its counter before it raises that, and the others read it when
 * they have seen the counter. It may arrive at step e + 1 before it has seen all arrive at step e, but not at step e +
 * 2; so the calls of three steps, used in turn, are enough. A member that waits before it arrives says for which step,
 * in a word beside; members that wait for each other would find nothing else.
 */
final class MemberCalls {
    // In a member's slot: the calls behind the counter; the mismatch, which is its step, the finder's call, another
    // member, and that one's call; the step that the member waits for before it has arrived there.
    private static final long CALLS = 8;
    private static final long CALL_BYTES = 16;
    private static final long LAST_CALL = CALLS + 2 * CALL_BYTES;
    private static final long MISMATCH = 128;
    private static final long WAITS_FOR = 192;

    private final SharedHeap heap;
    private final MemorySegment memory;
    /** By member, where its slot is. */
    private final long[] slots;

    private final int me;
    /** Where the team began to count: what was found at this step or before is of an earlier team in the same slots. */
    private final long base;

    /** The call of this member now. */
    private long head;

    private long count;
    /** The call that it told at its last step. */
    private long lastStep;

    /** Where in a slot the calls of that step are. */
    private long lastAt;

    private long lastHead;
    private long lastCount;

    MemberCalls(SharedHeap heap, long[] slots, int me, long base) {
        this.heap = heap;
        this.memory = heap.memory;
        this.slots = slots;
        this.me = me;
        this.base = base;
        this.lastAt = CALLS + Math.floorMod(base - 1, 3) * CALL_BYTES;
        tell(base);
    }

    /** Sets the call that this member tells with the steps that follow. */
    void set(long head, long count) {
        this.head = head;
        this.count = count;
    }

    /** Writes the call of this member, before its counter says that it has come to a step. */
    void tell(long step) {
        lastStep = step;
        lastAt = nextAt();
        lastHead = head;
        lastCount = count;
        long at = slots[me] + lastAt;
        memory.set(JAVA_LONG, at, head);
        memory.set(JAVA_LONG, at + 8, count);
    }

    /** Writes the call of this member for its next step, which it waits for others to come to first. */
    void tellEarly() {
        long at = slots[me] + nextAt();
        memory.set(JAVA_LONG, at, head);
        memory.set(JAVA_LONG, at + 8, count);
        LONG.setRelease(memory, slots[me] + WAITS_FOR, lastStep + 1);
    }

    private long nextAt() {
        return lastAt == LAST_CALL ? CALLS : lastAt + CALL_BYTES;
    }

    /**
     * Compares the call of a member that has come to a step, the last or the next one of this member, with this one's.
     *
     * @param what the operation, for the message
     * @return the mismatch, which has been told to the others; null if the calls fit together
     */
    @Nullable
    CollectiveMismatchException compare(int member, long step, String what) {
        boolean isLast = step == lastStep;
        long mine = isLast ? lastHead : head;
        long myCount = isLast ? lastCount : count;
        long at = slots[member] + (isLast ? lastAt : nextAt());
        long theirs = memory.get(JAVA_LONG, at);
        long theirCount = memory.get(JAVA_LONG, at + 8);
        if ((theirs ^ mine | theirCount ^ myCount) == 0 || Signature.compareThemselves(mine, theirs)) {
            return null;
        }
        long mismatch = slots[me] + MISMATCH;
        memory.set(JAVA_LONG, mismatch + 8, mine);
        memory.set(JAVA_LONG, mismatch + 16, myCount);
        memory.set(JAVA_LONG, mismatch + 24, member);
        memory.set(JAVA_LONG, mismatch + 32, theirs);
        memory.set(JAVA_LONG, mismatch + 40, theirCount);
        LONG.setRelease(memory, mismatch, step);
        // They may be waiting for this member, and perhaps not for the other one.
        heap.ringAll();
        return mismatchOf(me, what);
    }

    /** A mismatch that some member has found at a step up to {@code last}; null if there is none. */
    @Nullable
    CollectiveMismatchException found(long last, String what) {
        for (int member = 0; member < slots.length; member++) {
            long at = (long) LONG.getAcquire(memory, slots[member] + MISMATCH);
            if (at > base && at <= last) {
                return mismatchOf(member, what);
            }
        }
        return null;
    }

    /** A mismatch at a step for which this member waits, with others that wait for it and have not arrived. */
    @Nullable
    CollectiveMismatchException amongWaiting(long step, String what) {
        CollectiveMismatchException mismatch = null;
        for (int member = 0; member < slots.length && mismatch == null; member++) {
            if (member != me && (long) LONG.getAcquire(memory, slots[member] + WAITS_FOR) == step) {
                mismatch = compare(member, step, what);
            }
        }
        return mismatch;
    }

    private CollectiveMismatchException mismatchOf(int finder, String what) {
        long at = slots[finder] + MISMATCH;
        long other = memory.get(JAVA_LONG, at + 24);
        String one = Signature.describe(memory.get(JAVA_LONG, at + 8), memory.get(JAVA_LONG, at + 16));
        String another = Signature.describe(memory.get(JAVA_LONG, at + 32), memory.get(JAVA_LONG, at + 40));
        return new CollectiveMismatchException(what + " on rank " + me + " of " + slots.length
                + ": the ranks do not call the same: rank " + finder + " calls " + one + ", rank " + other + " calls "
                + another + (one.equals(another) ? " with other counts, offsets or places" : "")
                + "; they are out of step now");
    }
}
