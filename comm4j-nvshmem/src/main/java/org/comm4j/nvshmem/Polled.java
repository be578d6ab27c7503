// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
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
import org.comm4j.core.spi.WaitSet;
import org.comm4j.core.spi.Waiting;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.jspecify.annotations.Nullable;

/**
 * Looking at integers of this PE's memory from the host, and waiting there until they are as asked. Looking is a copy
 * that the library makes in a stream of its own, so that work which waits in the program's streams does not hold it up.
 * A wait that is given up has started nothing: the PEs stay in step.
 */
final class Polled extends Waiting {
    private final Session session;

    /** What several integers are copied to; with the session's lock held. */
    private HostArray copy = HostArray.allocate(DataType.UINT8, 0);

    Polled(Session session) {
        super(session.where(), Peers.all(session.world));
        this.session = session;
    }

    /** The integer at an address of this PE. */
    long load(String operation, NvshmemType native_, DataType type, long at) {
        session.checkNotRecording(operation);
        session.enter(operation);
        try {
            return WaitSet.widened(type, LibNvshmem.nvshmem_g(native_, at, session.myPe));
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
        if (WaitSet.holds(type, seen, comparison, value)) {
            return seen;
        }
        One one = new One(operation, native_, type, array, index, at, comparison, value);
        CommunicationEvent waiting = Events.begin();
        try {
            await(one, one, System.nanoTime(), session.timeoutNanos());
        } catch (RuntimeException e) {
            Events.failed(waiting, e);
            throw e;
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
            return WaitSet.holds(type, seen, comparison, value);
        }

        @Override
        public String toString() {
            return operation + " for " + WaitSet.describe(array, index, seen, comparison, value);
        }
    }

    /** Several integers, the first of them at address {@code at}. */
    WaitSet several(
            String operation,
            SymmetricArray variables,
            long at,
            boolean @Nullable [] skip,
            Comparison comparison,
            long[] values) {
        return new Several(operation, variables, at, skip, comparison, values);
    }

    private final class Several extends WaitSet {
        private final String operation;
        private final DataType type;
        private final long at;
        /** As of the last look. */
        private final long[] seen;

        Several(
                String operation,
                SymmetricArray variables,
                long at,
                boolean @Nullable [] skip,
                Comparison comparison,
                long[] values) {
            super(operation + " on " + session.where(), variables, skip, comparison, values, variables.turn);
            this.operation = operation;
            this.type = variables.type();
            this.at = at;
            this.seen = new long[Math.toIntExact(variables.count())];
        }

        @Override
        protected void look() {
            if (seen.length == 0) {
                return;
            }
            session.checkNotRecording(operation);
            session.enter(operation);
            try {
                int size = type.bytes();
                long bytes = (long) seen.length * size;
                if (copy.byteSize() < bytes) {
                    copy = HostArray.allocate(DataType.UINT8, bytes);
                }
                LibNvshmem.nvshmem_getmem(copy.address(), at, bytes, session.myPe);
                MemorySegment copied = copy.segment();
                for (int i = 0; i < seen.length; i++) {
                    long bits = switch (size) {
                        case Short.BYTES -> copied.getAtIndex(ValueLayout.JAVA_SHORT, i);
                        case Integer.BYTES -> copied.getAtIndex(ValueLayout.JAVA_INT, i);
                        default -> copied.getAtIndex(ValueLayout.JAVA_LONG, i);
                    };
                    seen[i] = widened(type, bits);
                }
            } finally {
                session.leave();
            }
        }

        @Override
        protected long seen(long i) {
            return seen[(int) i];
        }

        @Override
        protected void await(BooleanSupplier done, String which) {
            Object what = new Object() {
                @Override
                public String toString() {
                    return operation + " for " + describe(which);
                }
            };
            Polled.this.await(done, what, System.nanoTime(), session.timeoutNanos());
        }
    }
}
