// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Accesses that threads of a block are about to make in its memory, from a barrier to the next, if known before.
 * If no two of them access the same element, one writing, and none reads what nobody wrote, nothing need be looked at
 * while they do it. What is not known for sure counts as a conflict: then each access is looked at.
 */
final class RegionAccesses {
    /** An access that not all threads do. */
    static final int SOME = 1 << 16;

    private static final int MOST = 24;

    private final BlockRaces races;
    private final LoopState state;
    private final Room[] rooms;
    private final @Nullable Shadow[] shadows;
    /** By rooms, between which elements all are known to be written. */
    private final long[] from;

    private final long[] to;

    private boolean isKnown;
    private int count;
    private final int[] room = new int[MOST];
    private final boolean[] writes = new boolean[MOST];
    private final boolean[] byAll = new boolean[MOST];
    /** Elements that the first thread accesses, and from a thread to the next. */
    private final long[] first = new long[MOST];

    private final long[] step = new long[MOST];
    private final int[] begin = new int[MOST];
    private final int[] end = new int[MOST];
    private int wholes;
    private final int[] whole = new int[MOST];

    RegionAccesses(BlockRaces races, LoopState state, Room[] rooms, @Nullable Shadow[] shadows) {
        this.races = races;
        this.state = state;
        this.rooms = rooms;
        this.shadows = shadows;
        from = new long[rooms.length];
        to = new long[rooms.length];
    }

    /** Begins a block, whose memory nobody has written. */
    void beginBlock() {
        Arrays.fill(from, 0);
        Arrays.fill(to, 0);
    }

    /** Begins a region. */
    void begin() {
        isKnown = true;
        count = 0;
        wholes = 0;
    }

    /** Notes an access that is not known. */
    void unknown() {
        isKnown = false;
    }

    /** Notes an access of an argument's memory. */
    void argument(int number) {
        isKnown &= shadows[number] == null;
    }

    /** Notes a read of memory, it is not known where. */
    void anywhere(int number) {
        if (wholes == MOST) {
            isKnown = false;
        } else {
            whole[wholes++] = number;
        }
    }

    /**
     * Notes accesses by threads, each at a fixed distance from the one before it.
     *
     * @param a where the first thread accesses it, in elements of an array, or in bytes
     * @param b where the last one does
     * @param x how much farther the next thread in x is
     * @param y the same in y
     * @param z the same in z
     * @param what kind of access, and the bytes of an element 8 bits higher
     */
    void row(int number, long a, long b, int x, int y, int z, int what, int start, int stop) {
        long distance = distance(x, y, z);
        if (distance == Long.MIN_VALUE) {
            if ((what & LoopRaces.WRITE) != 0) {
                isKnown = false;
            } else {
                anywhere(number);
            }
            return;
        }
        Shadow shadow = shadows[number];
        int threads = stop - start;
        long unit = rooms[number].isArray() ? 1 : what >>> 8 & 0xff;
        if (shadow == null
                || count == MOST
                || b != a + distance * (threads - 1)
                || Math.min(a, b) < 0
                || shadow.unit() != (what >>> 8 & 0xff)
                || a % unit != 0
                || distance % unit != 0
                || Math.max(a, b) / unit >= races.cells(number)) {
            isKnown = false;
            return;
        }
        room[count] = number;
        writes[count] = (what & LoopRaces.WRITE) != 0;
        byAll[count] = (what & SOME) == 0;
        first[count] = a / unit;
        step[count] = threads == 1 ? 0 : distance / unit;
        begin[count] = start;
        end[count++] = stop;
    }

    /** Returns the distance by threads' numbers of those in three dimensions; the least number if there is none. */
    private long distance(int x, int y, int z) {
        if (state.ntid_y == 1 && state.ntid_z == 1) {
            return x;
        }
        long distance = x;
        long row = state.ntid_x;
        if (row == 1) {
            distance = y;
        } else if (state.ntid_y > 1 && y != distance * row) {
            return Long.MIN_VALUE;
        }
        row *= state.ntid_y;
        if (row == 1) {
            return z;
        }
        return state.ntid_z > 1 && z != distance * row ? Long.MIN_VALUE : distance;
    }

    /** Returns whether no access meets another one; if so, what is written counts as written from now on. */
    boolean areApart() {
        if (!isKnown || count + wholes > 0 && !races.isSimple()) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            for (int k = i; k < count && writes[i]; k++) {
                if (room[i] == room[k] && meet(i, k)) {
                    return false;
                }
            }
            for (int k = i + 1; k < count && !writes[i]; k++) {
                if (writes[k] && room[i] == room[k] && meet(i, k)) {
                    return false;
                }
            }
        }
        for (int i = 0; i < wholes; i++) {
            for (int k = 0; k < count; k++) {
                if (writes[k] && room[k] == whole[i]) {
                    return false;
                }
            }
            if (!isWritten(whole[i], 0, races.cells(whole[i]))) {
                return false;
            }
        }
        for (int i = 0; i < count; i++) {
            if ((!writes[i] || !byAll[i]) && !isWritten(room[i], least(i), most(i) + 1)) {
                return false;
            }
        }
        for (int i = 0; i < count; i++) {
            if (writes[i] && byAll[i]) {
                write(i);
            }
        }
        return true;
    }

    private long least(int i) {
        return Math.min(first[i], first[i] + step[i] * (end[i] - begin[i] - 1));
    }

    private long most(int i) {
        return Math.max(first[i], first[i] + step[i] * (end[i] - begin[i] - 1));
    }

    /** Returns whether two threads may access the same element, one of them for one access, another for the other. */
    private boolean meet(int a, int b) {
        if (most(a) < least(b) || most(b) < least(a)) {
            return false;
        }
        boolean isOne = end[a] - begin[a] == 1;
        long by = isOne ? step[b] : step[a];
        if (end[b] - begin[b] > 1 && by != step[b]) {
            return true;
        }
        if (by == 0) {
            return begin[a] != begin[b] || end[a] - begin[a] > 1 || end[b] - begin[b] > 1;
        }
        // Thread t accesses the element first + by * (t - begin).
        long apart = first[b] - by * begin[b] - (first[a] - by * begin[a]);
        if (apart == 0 || apart % by != 0) {
            return false;
        }
        long threads = apart / by;
        return begin[b] + threads < end[a] && begin[a] < end[b] + threads;
    }

    /** Returns whether the block has written all of some elements. */
    private boolean isWritten(int number, long least, long behind) {
        if (from[number] <= least && behind <= to[number]) {
            return true;
        }
        for (long cell = least; cell < behind; cell++) {
            if (!races.isWritten(number, cell)) {
                return false;
            }
        }
        extend(number, least, behind);
        return true;
    }

    private void write(int i) {
        int number = room[i];
        long least = least(i);
        long behind = most(i) + 1;
        if (from[number] <= least && behind <= to[number]) {
            return;
        }
        for (int thread = begin[i]; thread < end[i]; thread++) {
            races.write(number, first[i] + step[i] * (thread - begin[i]));
        }
        if (Math.abs(step[i]) <= 1) {
            extend(number, least, behind);
        }
    }

    private void extend(int number, long least, long behind) {
        if (least <= to[number] && from[number] <= behind) {
            from[number] = Math.min(from[number], least);
            to[number] = Math.max(to[number], behind);
        } else if (behind - least > to[number] - from[number]) {
            from[number] = least;
            to[number] = behind;
        }
    }
}
