// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of a block's threads, and the {@linkplain Visit visits} of memory by them.
 */
final class BlockRaces {
    private final LoopRaces all;
    private final List<Line> lines;
    private final LoopState state;
    private final Room[] rooms;
    private final @Nullable Shadow[] shadows;
    private final long[] origins;
    private final long[] sizes;
    private final String[] names;
    private final int[] groups;
    private final int[] epochs;
    private final long[] stamps;
    private final boolean[] fenced;
    private final boolean[] isShared;
    /** Whether all threads are in the same moment. */
    private boolean isSimple;
    /** Whether the clocks of all threads have yet to be set to {@link #common}, for nobody has asked for them. */
    private boolean isLate;
    /** An epoch. */
    private int common;
    /** Its moment; 0 if it has none yet. */
    private int commonMoment;
    /** Whether other blocks may access its memory. */
    private boolean joined;

    /** By addresses of barriers in memory, the latest epoch of who came. */
    private final Map<Long, Integer> mbarriers = new HashMap<>();

    private long block;
    private int first;
    /** Accesses from a barrier to the next that are known before. */
    final RegionAccesses accesses;

    /**
     * @param memory by the numbers of rooms; of arrays nothing
     * @param names of arguments, by the numbers of their rooms
     */
    BlockRaces(LoopRaces all, LoopState state, LoopCode code, MemorySegment[] memory, String[] names) {
        this.all = all;
        this.state = state;
        this.lines = code.lines();
        List<Room> declared = code.flat().rooms();
        int count = declared.size();
        this.rooms = declared.toArray(Room[]::new);
        this.shadows = new @Nullable Shadow[count];
        this.origins = new long[count];
        this.sizes = new long[count];
        this.groups = new int[count];
        this.names = names;
        for (Room room : declared) {
            int i = room.number;
            switch (room.where) {
                case ARGUMENT -> {
                    sizes[i] = memory[i].byteSize();
                    shadows[i] = all.shadow(memory[i]);
                    origins[i] = all.origin(memory[i]);
                    groups[i] = all.number(memory[i]);
                }
                case SHARED, DYNAMIC -> {
                    sizes[i] =
                            room.where == Room.Where.DYNAMIC ? memory[i].byteSize() : room.count * room.element.bytes();
                    shadows[i] = new Shadow(sizes[i], room.isArray() ? (int) room.element.bytes() : code.unit());
                }
                case CONSTANT, LOCAL, ANY -> {}
            }
        }
        epochs = new int[state.threads()];
        stamps = new long[state.threads()];
        fenced = new boolean[state.threads()];
        isShared = new boolean[count];
        for (Room room : declared) {
            isShared[room.number] = room.where == Room.Where.SHARED || room.where == Room.Where.DYNAMIC;
        }
        accesses = new RegionAccesses(this, state, rooms, shadows);
    }

    /** Gives the cells of the block's memory away. */
    void release() {
        for (int i = 0; i < shadows.length; i++) {
            Shadow shadow = shadows[i];
            if (isShared[i] && shadow != null) {
                shadow.release();
            }
        }
    }

    void begin(long number) {
        joined = false;
        accesses.beginBlock();
        block = number;
        Arrays.fill(fenced, false);
        mbarriers.clear();
        common = 0;
        commonMoment = all.moment(number, 0);
        first = commonMoment;
        isLate = true;
        isSimple = true;
    }

    /** Sets the clocks of all threads if that is yet to be done. */
    private void set() {
        if (isLate) {
            isLate = false;
            Arrays.fill(epochs, common);
            commonMoment = commonMoment == 0 ? all.moment(block, common) : commonMoment;
            for (int thread = 0; thread < stamps.length; thread++) {
                stamps[thread] = (long) commonMoment << Visit.MOMENT | (long) thread << Visit.THREAD;
            }
        }
    }

    /** Another block begins together with this one: what either does from now on is after it. */
    void meets(BlockRaces other) {
        if (!other.equals(this)) {
            joined = true;
            isSimple = false;
        }
        first = Math.min(first, other.first);
    }

    /** Gives all threads the present moment, by their epochs. */
    private void stamp() {
        long moment = 0;
        for (int thread = 0; thread < stamps.length; thread++) {
            if (thread == 0 || epochs[thread] != epochs[thread - 1]) {
                moment = (long) all.moment(block, epochs[thread]) << Visit.MOMENT;
            }
            stamps[thread] = moment | (long) thread << Visit.THREAD | stamps[thread] & Visit.warpBits();
        }
    }

    /** A thread has a new epoch. */
    private void stamp(int thread) {
        isSimple = false;
        stamps[thread] = (long) all.moment(block, epochs[thread]) << Visit.MOMENT
                | (long) thread << Visit.THREAD
                | stamps[thread] & Visit.warpBits();
    }

    // ---- memory of the block, while all threads are in the same moment ----

    boolean isSimple() {
        return isSimple;
    }

    /** The elements of an array, or of the smallest access. */
    long cells(int room) {
        return sizes[room] / Objects.requireNonNull(shadows[room]).unit();
    }

    /** Returns whether the block has written an element. */
    boolean isWritten(int room, long cell) {
        long[] page = Objects.requireNonNull(shadows[room]).known(cell);
        return page != null && page[Shadow.place(cell)] >>> Visit.MOMENT >= first;
    }

    /** Some thread writes an element that no other one accesses before all of them meet; what is later is after it. */
    void write(int room, long cell) {
        Shadow.write(
                Objects.requireNonNull(shadows[room]).page(cell), Shadow.place(cell), (long) first << Visit.MOMENT);
    }

    // ---- meetings ----

    /** All threads of the block have met. */
    void meet() {
        if (isSimple) {
            common = isLate ? common + 1 : epochs[0] + 1;
            commonMoment = 0;
            isLate = true;
            return;
        }
        set();
        int latest = latest();
        Arrays.fill(epochs, latest + 1);
        Arrays.fill(stamps, 0);
        stamp();
        isSimple = !joined;
    }

    private int latest() {
        int latest = 0;
        for (int epoch : epochs) {
            latest = Math.max(latest, epoch);
        }
        return latest;
    }

    /** The lanes of a warp have met. */
    void warpSync(int from, int to, int lanes) {
        set();
        int latest = 0;
        for (int thread = from; thread < to; thread++) {
            if ((lanes >>> thread - from & 1) != 0) {
                latest = Math.max(latest, Visit.warpEpoch(stamps[thread]));
            }
        }
        boolean isFull = latest + 1 == Visit.MOST_WARP_EPOCHS;
        for (int thread = from; thread < to; thread++) {
            if ((lanes >>> thread - from & 1) != 0) {
                stamps[thread] = stamps[thread] & ~Visit.warpBits() | (isFull ? 0 : (latest + 1L) << Visit.WARP_EPOCH);
                if (isFull) {
                    // What is counted anew is later by its epoch.
                    epochs[thread]++;
                    stamp(thread);
                }
            }
        }
    }

    /** A thread comes to a named barrier: what it does from now on comes after what the others will have seen. */
    int arrive(int thread) {
        set();
        int epoch = epochs[thread]++;
        stamp(thread);
        return epoch;
    }

    /** A named barrier opens for a thread, to which others came until an epoch. */
    void open(int thread, int until) {
        set();
        if (epochs[thread] <= until) {
            epochs[thread] = until + 1;
            stamp(thread);
        }
    }

    /** Blocks have met: what this one does from now on is later than what it has told. */
    void met(boolean ofCluster) {
        if (ofCluster) {
            meet();
        } else {
            set();
            stamp();
        }
    }

    void fence(int thread) {
        fenced[thread] = true;
    }

    /** A thread comes to a barrier in memory. */
    void arrived(long address, int thread) {
        mbarriers.merge(address, arrive(thread), Math::max);
    }

    /** A thread has seen that a barrier in memory is open. */
    void passed(long address, int thread) {
        open(thread, mbarriers.getOrDefault(address, -1));
    }

    /** Shared memory was copied to: by a thread, or by the copy engine, which is before all that waits for it. */
    void copied(int room, long at, long bytes, int line, int thread, boolean byEngine) {
        Shadow shadow = shadows[room];
        if (shadow == null || rooms[room].where == Room.Where.ARGUMENT) {
            return;
        }
        if (!byEngine) {
            for (long byteAt = at; byteAt < at + bytes; byteAt++) {
                access(this, room, byteAt, LoopRaces.WRITE | 1 << 8 | 1 << 16, line, thread);
            }
            return;
        }
        long engine = (long) all.moment(block, -1) << Visit.MOMENT;
        for (long cell = shadow.cell(at); cell <= shadow.cell(at + bytes - 1); cell++) {
            Shadow.write(shadow.page(cell), Shadow.place(cell), engine);
        }
    }

    // ---- accesses ----

    /**
     * An access of memory, before it happens.
     *
     * @param its whose memory it is: this block's, or that of another one of its cluster
     * @param room the memory's number
     * @param at its first byte
     * @param what kind of access, the bytes of an element 8 bits higher, all bytes 16 bits higher
     */
    void access(BlockRaces its, int room, long at, int what, int line, int thread) {
        set();
        if (its != this || (what & LoopRaces.ATOMIC) != 0 || !isQuick(room, at, what, (long) line << 1, thread)) {
            anyAccess(its, room, at, what, line, thread);
        }
    }

    /** Notes an access that no other thread was before in this epoch of the block; false if it may be another one. */
    private boolean isQuick(int room, long at, int what, long line, int thread) {
        Shadow shadow = shadows[room];
        int bytes = what >>> 16;
        if (shadow == null || at < 0 || at > sizes[room] - bytes || bytes != shadow.unit()) {
            return false;
        }
        long cell = shadow.cell(origins[room] + at);
        long[] page = shadow.known(cell);
        if (page == null) {
            return false;
        }
        int place = Shadow.place(cell);
        long mine = stamps[thread];
        long writer = page[place];
        // From this moment on what another thread has done in the block before its last barrier is ordered.
        long own = isSimple && isShared[room] ? (long) first << Visit.MOMENT : Long.MAX_VALUE;
        boolean isNew = isShared[room] ? writer >>> Visit.MOMENT < first : writer == 0;
        if ((what & LoopRaces.READ) != 0) {
            if (isNew ? isShared[room] : !Visit.isBefore(writer, mine, own)) {
                return false;
            }
            long reader = page[place + 1];
            if ((reader ^ mine) >>> Visit.THREAD != 0) {
                page[place + 2] = reader;
                page[place + 1] = mine | line;
            }
            return true;
        }
        if (isNew && isShared[room]
                || (isNew || Visit.isBefore(writer, mine, own))
                        && Visit.isBefore(page[place + 1], mine, own)
                        && Visit.isBefore(page[place + 2], mine, own)) {
            Shadow.write(page, place, mine | line);
            return true;
        }
        return false;
    }

    private void anyAccess(BlockRaces its, int room, long at, int what, int line, int thread) {
        Shadow shadow = its.shadows[room];
        int bytes = what >>> 16;
        if (shadow == null || at < 0 || at > its.sizes[room] - bytes) {
            // The access itself says so.
            return;
        }
        if ((what & LoopRaces.ATOMIC) != 0) {
            hear(its, room, at, what, thread);
        }
        long mine = stamps[thread] | (long) line << 1 | (what & LoopRaces.ATOMIC) >>> 2;
        long from = shadow.cell(its.origins[room] + at);
        long to = shadow.cell(its.origins[room] + at + bytes - 1);
        for (long cell = from; cell <= to; cell++) {
            long[] page = shadow.page(cell);
            int place = Shadow.place(cell);
            long writer = page[place];
            if (writer >>> Visit.MOMENT < its.first && rooms[room].where != Room.Where.ARGUMENT) {
                writer = 0;
                newCell(room, cell, page, place, what);
            }
            if (writer != 0 && !isOrdered(writer, mine)) {
                throw race(room, cell, writer, true, mine, what);
            }
            if ((what & LoopRaces.WRITE) != 0) {
                if ((page[place + 1] | page[place + 2]) != 0) {
                    readers(room, cell, page, place, mine, what);
                }
                page[place] = mine;
            } else {
                read(page, place, mine);
            }
        }
        if ((what & LoopRaces.WRITE) != 0
                && (what & LoopRaces.ATOMIC) != 0
                && (fenced[thread] || (what & LoopRaces.RELEASE) != 0)) {
            tell(its, room, at, thread);
        }
    }

    /** Shared memory that the block has not written. */
    private void newCell(int room, long cell, long[] page, int place, int what) {
        if ((what & LoopRaces.READ) != 0) {
            throw new KernelRace(
                    name(room, cell, what) + " is read before it was written; shared memory is not zero at first");
        }
        page[place + 1] = 0;
        page[place + 2] = 0;
    }

    private void readers(int room, long cell, long[] page, int place, long mine, int what) {
        for (int i = place + 1; i <= place + 2; i++) {
            if (page[i] != 0 && !isOrdered(page[i], mine)) {
                throw race(room, cell, page[i], false, mine, what);
            }
            page[i] = 0;
        }
    }

    private static void read(long[] page, int place, long mine) {
        page[place + 2] = page[place + 1];
        page[place + 1] = mine;
    }

    /** Returns whether the first has happened before the second, or it does not matter. */
    private boolean isOrdered(long a, long b) {
        if ((a ^ b) >>> Visit.THREAD == 0 || (a & b & 1) != 0) {
            return true;
        }
        int before = (int) (a >>> Visit.MOMENT);
        int now = (int) (b >>> Visit.MOMENT);
        return before == now ? Visit.isOrderedInWarp(a, b) : isOrdered(a, before, b, now);
    }

    private boolean isOrdered(long a, int before, long b, int now) {
        if (all.block(before) == all.block(now)) {
            return Visit.thread(a) == Visit.thread(b)
                    || all.epoch(now) > all.epoch(before)
                    || Visit.isOrderedInWarp(a, b);
        }
        return all.hasHeard(all.block(now), before);
    }

    // ---- what blocks tell each other ----

    private LoopRaces.Place place(BlockRaces its, int room, long at) {
        return rooms[room].where == Room.Where.ARGUMENT
                ? new LoopRaces.Place(-1, groups[room], origins[room] + at)
                : new LoopRaces.Place(its.block, room, at);
    }

    private void hear(BlockRaces its, int room, long at, int what, int thread) {
        if ((what & LoopRaces.READ) != 0) {
            int heard = all.hear(block, place(its, room, at));
            if (heard > epochs[thread]) {
                epochs[thread] = heard;
                stamp(thread);
            }
        }
    }

    /** Threads come out of Java methods, as {@link LoopRaces#called} has it. */
    void called(int from, int to) {
        set();
        all.called(block);
        Arrays.fill(epochs, from, to, Arrays.stream(epochs).max().orElseThrow() + 1);
        stamp();
        isSimple = false;
    }

    private void tell(BlockRaces its, int room, long at, int thread) {
        all.tell(block, place(its, room, at), ++epochs[thread]);
        stamp();
        isSimple = false;
    }

    // ---- words ----

    private String name(int room, long cell, int what) {
        Shadow shadow = Objects.requireNonNull(shadows[room]);
        long at = Math.max(0, shadow.bytes(cell) - origins[room]);
        return switch (rooms[room].where) {
            case DYNAMIC -> "byte " + at + " of dynamic shared memory";
            case ARGUMENT -> "element " + at / (what >>> 8 & 0xff) + " of " + names[room];
            default -> "element " + at / rooms[room].elementBytes() + " of the shared array";
        };
    }

    private KernelRace race(int room, long cell, long first, boolean firstWrites, long now, int what) {
        return all.race(
                name(room, cell, what),
                state.describe(Visit.thread(first), all.block((int) (first >>> Visit.MOMENT))),
                firstWrites,
                line(first),
                state.describe(Visit.thread(now), block),
                (what & LoopRaces.WRITE) != 0,
                line(now));
    }

    private Position line(long visit) {
        return lines.get((int) (visit >>> 1) & Visit.MOST_LINES - 1).at();
    }
}
