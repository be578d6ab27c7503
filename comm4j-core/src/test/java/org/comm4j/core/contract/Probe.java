// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * One rank's side of a test: buffers between guard zones, and what was found wrong. A wrong result is noted and the rank goes
 * on, so that the other ranks do not wait for it in vain; {@link #finish} throws.
 */
final class Probe implements AutoCloseable {
    /** Elements on each side of a receive buffer that nobody may touch. */
    private static final int GUARD = 64;

    private static final int MAX_SHIFT = 8;
    private static final int MAX_FAILURES = 8;

    /** What memory holds where no data was written. */
    static final byte BLANK = 0x5A;

    private static final MemorySegment BLANKS =
            Arena.global().allocate((GUARD + MAX_SHIFT) * 16L, 64).fill(BLANK);

    final Communicator comm;
    final int rank;
    final int size;

    private final long bytes;
    private final Arena arena = Arena.ofShared();
    private final Map<Object, HostArray> pools = new HashMap<>();
    private final List<Zone> zones = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private String position = "start";

    private record Zone(String name, HostArray pool, long offset, long count) {}

    Probe(Communicator comm, long bytes) {
        this.comm = comm;
        this.rank = comm.rank();
        this.size = comm.size();
        this.bytes = bytes;
    }

    /** Begins a step of the test; what is found from now on is reported with this name. */
    void at(Object step) {
        zones.clear();
        position = step.toString();
    }

    String where() {
        return "rank " + rank + " of " + size + ", " + position;
    }

    /**
     * A blank buffer, unaligned but for its element type, with blank memory around. The memory is reused: one buffer of a
     * name, type and kind of memory in each step.
     */
    HostArray buffer(String name, DataType type, long count, boolean ofEngine) {
        record Key(String name, DataType type, boolean ofEngine) {}
        long capacity = bytes / type.bytes() + 2 * GUARD + MAX_SHIFT;
        HostArray pool = pools.computeIfAbsent(
                new Key(name, type, ofEngine),
                key -> ofEngine ? comm.allocate(type, capacity) : HostArray.allocate(arena, type, capacity));
        long shift = Math.floorMod(Inputs.mix(position.hashCode() + rank), MAX_SHIFT);
        pool.slice(0, shift + count + 2 * GUARD).segment().fill(BLANK);
        zones.add(new Zone(name, pool, shift + GUARD, count));
        return pool.slice(shift + GUARD, count);
    }

    /** A buffer as {@link #buffer} gives, where {@code c} says. */
    HostArray buffer(Case c, String name, long count) {
        return buffer(name, c.type(), count, c.memory().ofEngine(rank, name.equals("send")));
    }

    /** Notes every element that differs; NaNs are equal to each other whatever their bits. */
    void expect(String what, HostArray actual, HostArray expected) {
        long mismatch = actual.segment().mismatch(expected.segment());
        if (mismatch < 0) {
            return;
        }
        long wrong = 0;
        long first = -1;
        for (long i = mismatch / actual.type().bytes(); i < actual.count(); i++) {
            if (!same(actual, expected, i)) {
                first = wrong++ == 0 ? i : first;
            }
        }
        if (wrong > 0) {
            fail(what + ": " + wrong + " of " + actual.count() + " elements are wrong; element " + first + " is "
                    + show(actual, first) + " instead of " + show(expected, first));
        }
    }

    private static boolean same(HostArray a, HostArray b, long i) {
        if (a.slice(i, 1).segment().mismatch(b.slice(i, 1).segment()) < 0) {
            return true;
        }
        return a.type().isFloat() && Double.isNaN(a.getDouble(i)) && Double.isNaN(b.getDouble(i));
    }

    private static String show(HostArray array, long i) {
        if (array.type().isInteger()) {
            return Long.toString(array.getLong(i));
        }
        return array.type().isComplex()
                ? array.getReal(i) + " + " + array.getImaginary(i) + "i"
                : Double.toString(array.getDouble(i));
    }

    /** Notes {@code message} if a condition does not hold. */
    void expect(boolean condition, String message) {
        if (!condition) {
            fail(message);
        }
    }

    /** Notes a receive buffer that was written where this rank receives nothing. */
    void expectBlank(String what, HostArray buffer) {
        expect(what, buffer, blank(buffer.type(), buffer.count()));
    }

    /** An array as {@link #buffer} gives, for expected results. */
    static HostArray blank(DataType type, long count) {
        HostArray blank = HostArray.allocate(type, count);
        blank.segment().fill(BLANK);
        return blank;
    }

    /** Notes writes around the buffers of this step. */
    void expectGuardsIntact() {
        for (Zone zone : zones) {
            guardIntact(zone, "before", 0, zone.offset);
            guardIntact(zone, "behind", zone.offset + zone.count, GUARD);
        }
    }

    private void guardIntact(Zone zone, String side, long offset, long count) {
        MemorySegment guard = zone.pool.slice(offset, count).segment();
        long mismatch = guard.mismatch(BLANKS.asSlice(0, guard.byteSize()));
        expect(
                mismatch < 0,
                "memory " + side + " the buffer '" + zone.name + "' was written, at byte " + mismatch
                        + " of its guard zone");
    }

    void fail(String message) {
        failures.add(where() + ": " + message);
        if (failures.size() >= MAX_FAILURES) {
            finish();
        }
    }

    /** Throws if anything was wrong. */
    void finish() {
        if (!failures.isEmpty()) {
            throw new AssertionError(String.join("\n", failures));
        }
    }

    /** Frees the buffers that are not the communicator's. */
    @Override
    public void close() {
        arena.close();
    }
}
