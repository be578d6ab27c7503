// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Call;
import org.jspecify.annotations.Nullable;

/**
 * One rank's side of a test: buffers between guard zones, and what was found wrong. A wrong result is noted and the
 * rank goes on, so that the other ranks do not wait for it in vain; {@link #finish} throws.
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

    private final ContractEngine engine;
    private final long bytes;
    private final Arena arena = Arena.ofShared();
    private final Queue<AutoCloseable> closeables = new ConcurrentLinkedQueue<>();
    private final Map<Object, Buffer> pools = new HashMap<>();
    private final List<Zone> zones = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private String position = "start";

    private record Zone(String name, Buffer pool, long offset, long count) {}

    Probe(ContractEngine engine, Communicator comm, long bytes) {
        this.engine = engine;
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
     * A blank buffer, unaligned but for its element type, with blank memory around. The memory is reused: one buffer of
     * a name, type and kind of memory in each step.
     */
    Buffer buffer(String name, DataType type, long count, boolean ofEngine) {
        record Key(String name, DataType type, boolean ofEngine) {}
        long capacity = bytes / type.bytes() + 2 * GUARD + MAX_SHIFT;
        Buffer pool = pools.computeIfAbsent(
                new Key(name, type, ofEngine),
                key -> ofEngine ? comm.allocate(type, capacity) : memory(type, capacity));
        long shift = Math.floorMod(Inputs.mix(position.hashCode() + rank), MAX_SHIFT);
        paint(pool.slice(0, shift + count + 2 * GUARD));
        zones.add(new Zone(name, pool, shift + GUARD, count));
        return pool.slice(shift + GUARD, count);
    }

    /** A buffer as {@link #buffer} gives, where {@code c} says. */
    Buffer buffer(Case c, String name, long count) {
        return buffer(name, c.type(), count, c.memory().ofEngine(rank, name.equals("send")));
    }

    /** Zeroed memory that is not the communicator's; freed with this. */
    Buffer memory(DataType type, long count) {
        Buffer made = engine.memory(comm, arena, type, count);
        if (made instanceof AutoCloseable closeable) {
            closeables.add(closeable);
        }
        return made;
    }

    /** {@link #memory} for {@code INT32}. */
    Buffer ints(int count) {
        return memory(DataType.INT32, count);
    }

    /** {@link #memory} with these values. */
    Buffer of(HostArray values) {
        Buffer made = memory(values.type(), values.count());
        made.copyFrom(values);
        return made;
    }

    Buffer of(long... values) {
        return of(HostArray.of(values));
    }

    Buffer of(int... values) {
        return of(HostArray.of(values));
    }

    /** Memory of which the test program has already given back everything. */
    Buffer freed(DataType type, long count) {
        Buffer made;
        try (Arena brief = Arena.ofShared()) {
            made = engine.memory(comm, brief, type, count);
            if (made instanceof AutoCloseable closeable) {
                close(closeable);
            }
        }
        return made;
    }

    /** What a buffer holds. */
    static HostArray host(Buffer buffer) {
        return buffer instanceof HostArray array ? array : buffer.toHost();
    }

    boolean supports(Call.Kind operation, DataType type, @Nullable ReduceOp op) {
        return engine.supports(operation, type, op);
    }

    /** Notes a call that does something although its engine does not have it. */
    void expectUnsupported(Runnable call) {
        Throwable thrown = catchThrowable(call::run);
        expect(thrown instanceof UnsupportedOperationException, "is not supported, but gave " + thrown);
    }

    /** The difference of means that is right for an engine that divides in its own way. */
    double tolerance(Case c) {
        if (engine.reducesInRankOrder() || c.op() != ReduceOp.AVG) {
            return 0;
        }
        // Numbers of at most 2, rounded when divided and when added.
        int bits = switch (c.type()) {
            case FLOAT8_E5M2 -> 2;
            case FLOAT8_E4M3 -> 3;
            case BFLOAT16 -> 7;
            case FLOAT16 -> 10;
            case FLOAT32, COMPLEX64 -> 23;
            default -> 52;
        };
        return 2 * size * Math.scalb(1.0, -bits);
    }

    /** Notes every element of {@code buffer} that differs; NaNs are equal to each other whatever their bits. */
    void expect(String what, Buffer buffer, HostArray expected) {
        expect(what, buffer, expected, 0);
    }

    /**
     * The same with a tolerance.
     *
     * @param tolerance the difference between real or complex numbers that does not count
     */
    void expect(String what, Buffer buffer, HostArray expected, double tolerance) {
        HostArray actual = host(buffer);
        long mismatch = actual.segment().mismatch(expected.segment());
        if (mismatch < 0) {
            return;
        }
        long wrong = 0;
        long first = -1;
        for (long i = mismatch / actual.type().bytes(); i < actual.count(); i++) {
            if (!same(actual, expected, i, tolerance)) {
                first = wrong++ == 0 ? i : first;
            }
        }
        if (wrong > 0) {
            fail(what + ": " + wrong + " of " + actual.count() + " elements are wrong; element " + first + " is "
                    + show(actual, first) + " instead of " + show(expected, first));
        }
    }

    private static boolean same(HostArray a, HostArray b, long i, double tolerance) {
        if (a.slice(i, 1).segment().mismatch(b.slice(i, 1).segment()) < 0) {
            return true;
        }
        if (a.type().isFloat()) {
            return Double.isNaN(a.getDouble(i)) && Double.isNaN(b.getDouble(i))
                    || near(a.getDouble(i), b.getDouble(i), tolerance);
        }
        return a.type().isComplex()
                && near(a.getReal(i), b.getReal(i), tolerance)
                && near(a.getImaginary(i), b.getImaginary(i), tolerance);
    }

    private static boolean near(double a, double b, double tolerance) {
        return Math.abs(a - b) <= tolerance;
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
    void expectBlank(String what, Buffer buffer) {
        expect(what, buffer, blank(buffer.type(), buffer.count()));
    }

    /** An array as {@link #buffer} gives, for expected results. */
    static HostArray blank(DataType type, long count) {
        HostArray blank = HostArray.allocate(type, count);
        paint(blank);
        return blank;
    }

    private static void paint(Buffer buffer) {
        if (buffer instanceof HostArray array) {
            array.segment().fill(BLANK);
        } else {
            buffer.copyFrom(blank(buffer.type(), buffer.count()));
        }
    }

    /** Notes writes around the buffers of this step. */
    void expectGuardsIntact() {
        for (Zone zone : zones) {
            guardIntact(zone, "before", 0, zone.offset);
            guardIntact(zone, "behind", zone.offset + zone.count, GUARD);
        }
    }

    private void guardIntact(Zone zone, String side, long offset, long count) {
        MemorySegment guard = host(zone.pool.slice(offset, count)).segment();
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
        closeables.forEach(Probe::close);
        engine.close(arena);
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new AssertionError("memory of a test could not be freed", e);
        }
    }
}
