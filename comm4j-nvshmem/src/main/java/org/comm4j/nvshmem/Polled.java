// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Waiting;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.jspecify.annotations.Nullable;

/**
 * Looking at integers of this PE's memory from the host, and waiting there until they are as asked. Looking is a copy that the library
 * makes in a stream of its own, so that work which waits in the program's streams does not hold it up. A wait that is given up has
 * started nothing: the PEs stay in step.
 */
final class Polled extends Waiting {
    private final Session session;
    /** Where the last search for one of several ended: the next one begins behind. */
    private int turn;

    /** What several integers are copied to; with the session's lock held. */
    private HostArray copy = HostArray.allocate(DataType.UINT8, 0);

    Polled(Session session) {
        super(session.where(), Peers.all(session.world));
        this.session = session;
    }

    /** A value of the type in the low bits, as a long. */
    static long widened(DataType type, long bits) {
        return switch (type) {
            case INT8 -> (byte) bits;
            case UINT8 -> bits & 0xffL;
            case INT16 -> (short) bits;
            case UINT16 -> bits & 0xffffL;
            case INT32 -> (int) bits;
            case UINT32 -> bits & 0xffff_ffffL;
            default -> bits;
        };
    }

    /** @param value is cut to the type, as in C */
    static boolean holds(DataType type, long seen, Comparison comparison, long value) {
        long expected = widened(type, value);
        return comparison.holds(
                type == DataType.UINT64 ? Long.compareUnsigned(seen, expected) : Long.compare(seen, expected));
    }

    /** The integer at an address of this PE. */
    long load(String operation, NvshmemType native_, DataType type, long at) {
        session.enter(operation);
        try {
            return widened(type, LibNvshmem.nvshmem_g(native_, at, session.myPe));
        } finally {
            session.leave();
        }
    }

    /** Waits for one integer; returns what was seen. */
    long await(
            String operation,
            NvshmemType native_,
            DataType type,
            SymmetricBuffer array,
            long index,
            long at,
            Comparison comparison,
            long value) {
        long seen = load(operation, native_, type, at);
        if (holds(type, seen, comparison, value)) {
            return seen;
        }
        One one = new One(operation, native_, type, array, index, at, comparison, value);
        CommunicationEvent waiting = Events.begin();
        try {
            await(one, one, System.nanoTime(), session.timeoutNanos());
        } finally {
            session.ended(waiting, operation);
        }
        return one.seen;
    }

    @Override
    protected void lookForErrors(Object what) {
        // Another thread may close while this one waits: the next look says so.
    }

    @Override
    protected CommException dead(Object what, List<Integer> failed) {
        return session.failed(session.watch.dead(what, failed));
    }

    @Override
    protected CommException expired(Object what, long timeoutNanos) {
        return new CommTimeoutException(
                what + " on " + session.where() + " is not done after "
                        + Duration.ofNanos(timeoutNanos).toMillis()
                        + " ms: the PE that should store it has not, is stuck, or its puts and signals have not arrived (quiet)");
    }

    private static String hex(long address) {
        return "0x" + Long.toHexString(address);
    }

    private static String text(DataType type, long value) {
        return type == DataType.UINT64 ? Long.toUnsignedString(value) : Long.toString(value);
    }

    /** A wait for one integer. */
    private final class One implements BooleanSupplier {
        private final String operation;
        private final NvshmemType native_;
        private final DataType type;
        private final SymmetricBuffer array;
        private final long index;
        private final long at;
        private final Comparison comparison;
        private final long value;
        private long seen;

        One(
                String operation,
                NvshmemType native_,
                DataType type,
                SymmetricBuffer array,
                long index,
                long at,
                Comparison comparison,
                long value) {
            this.operation = operation;
            this.native_ = native_;
            this.type = type;
            this.array = array;
            this.index = index;
            this.at = at;
            this.comparison = comparison;
            this.value = value;
        }

        @Override
        public boolean getAsBoolean() {
            seen = load(operation, native_, type, at);
            return holds(type, seen, comparison, value);
        }

        @Override
        public String toString() {
            return operation + " for element " + index + " of " + array + ", at " + hex(at) + ", to be " + comparison
                    + " " + text(type, widened(type, value)) + " (it is " + text(type, seen) + ")";
        }
    }

    /** Several integers, compared each with its own value, or all with the only one. */
    final class Several {
        private final String operation;
        private final SymmetricBuffer variables;
        private final DataType type;
        private final int count;
        private final long at;
        private final boolean @Nullable [] skip;
        private final Comparison comparison;
        private final long[] values;
        /** Which of them have been seen to compare as asked. */
        private final boolean[] held;

        Several(
                String operation,
                SymmetricBuffer variables,
                long at,
                boolean @Nullable [] skip,
                Comparison comparison,
                long[] values) {
            this.count = Math.toIntExact(variables.count());
            if (skip != null && skip.length != count) {
                throw new IllegalArgumentException(operation + " on " + session.where() + ": skip has " + skip.length
                        + " entries, not " + count + ", one for each of " + variables);
            }
            if (values.length != 1 && values.length != count) {
                throw new IllegalArgumentException(operation + " on " + session.where() + ": " + values.length
                        + " values to compare with, not 1 or " + count + ", one for each of " + variables);
            }
            this.operation = operation;
            this.variables = variables;
            this.type = variables.type();
            this.at = at;
            this.skip = skip;
            this.comparison = comparison;
            this.values = values;
            this.held = new boolean[count];
        }

        private boolean skipped(int i) {
            return skip != null && skip[i];
        }

        private boolean allSkipped() {
            for (int i = 0; i < count; i++) {
                if (!skipped(i)) {
                    return false;
                }
            }
            return true;
        }

        /** Looks at all of them once. */
        private void look() {
            if (count == 0) {
                return;
            }
            session.enter(operation);
            try {
                long bytes = variables.byteSize();
                if (copy.byteSize() < bytes) {
                    copy = HostArray.allocate(DataType.UINT8, bytes);
                }
                LibNvshmem.nvshmem_getmem(copy.address(), at, bytes, session.myPe);
                HostArray seen = HostArray.wrap(copy.segment().asSlice(0, bytes), type);
                for (int i = 0; i < count; i++) {
                    held[i] = Polled.holds(type, seen.getLong(i), comparison, values[values.length == 1 ? 0 : i]);
                }
            } finally {
                session.leave();
            }
        }

        boolean all() {
            look();
            for (int i = 0; i < count; i++) {
                if (!skipped(i) && !held[i]) {
                    return false;
                }
            }
            return true;
        }

        /** One that compares as asked, or −1. */
        int any() {
            look();
            for (int n = 0; n < count; n++) {
                int i = (turn + n) % count;
                if (!skipped(i) && held[i]) {
                    turn = i + 1;
                    return i;
                }
            }
            return -1;
        }

        /** All that compare as asked, in ascending order. */
        long[] some() {
            look();
            long[] found = new long[count];
            int n = 0;
            for (int i = 0; i < count; i++) {
                if (!skipped(i) && held[i]) {
                    found[n++] = i;
                }
            }
            return Arrays.copyOf(found, n);
        }

        /** Each is seen to compare as asked, at one time or another. */
        void awaitAll() {
            boolean[] missing = new boolean[count];
            for (int i = 0; i < count; i++) {
                missing[i] = !skipped(i);
            }
            await("all", () -> {
                look();
                boolean done = true;
                for (int i = 0; i < count; i++) {
                    missing[i] &= !held[i];
                    done &= !missing[i];
                }
                return done;
            });
        }

        int awaitAny() {
            if (allSkipped()) {
                return -1;
            }
            int[] found = {-1};
            await("one", () -> {
                found[0] = any();
                return found[0] >= 0;
            });
            return found[0];
        }

        long[] awaitSome() {
            if (allSkipped()) {
                return new long[0];
            }
            long[][] found = {new long[0]};
            await("some", () -> {
                found[0] = some();
                return found[0].length > 0;
            });
            return found[0];
        }

        private void await(String which, BooleanSupplier done) {
            Object what = new Object() {
                @Override
                public String toString() {
                    return describe(which);
                }
            };
            Polled.this.await(done, what, System.nanoTime(), session.timeoutNanos());
        }

        private String describe(String which) {
            int first = 0;
            while (first < count - 1 && (skipped(first) || held[first])) {
                first++;
            }
            return operation + " for " + which + " of the elements of " + variables + ", at " + hex(at) + ", to be "
                    + comparison + " "
                    + (values.length == 1 ? text(type, widened(type, values[0])) : Arrays.toString(values))
                    + " (element " + first + " is not)";
        }
    }
}
