// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.Arrays;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SymmetricBuffer;
import org.jspecify.annotations.Nullable;

/** Looking at, and waiting for, integers of this PE's memory; their places are checked already. */
final class Waits {
    private final Session session;

    Waits(Session session) {
        this.session = session;
    }

    /** The integer at a place of memory; what its writer stored before is visible afterwards. */
    private long load(DataType type, long at) {
        return type.bytes() == Long.BYTES
                ? (long) Atomic.LONG.getAcquire(session.memory, at)
                : Session.widened(type, (int) Atomic.INT.getAcquire(session.memory, at));
    }

    private static boolean holds(DataType type, Comparison comparison, long seen, long value) {
        return comparison.holds(
                type == DataType.UINT64 ? Long.compareUnsigned(seen, value) : Long.compare(seen, value));
    }

    boolean test(SymmetricBuffer variable, long at, Comparison comparison, long value) {
        return holds(variable.type(), comparison, load(variable.type(), at), value);
    }

    /** Waits for one integer; returns what was seen. */
    long await(String operation, SymmetricBuffer variable, long index, long at, Comparison comparison, long value) {
        DataType type = variable.type();
        long seen = load(type, at);
        if (holds(type, comparison, seen, value)) {
            return seen;
        }
        Engine.Wait wait = session.engine.newWait(
                operation, () -> describe(variable, index, at) + " to be " + comparison + " " + text(type, value));
        do {
            wait.once();
            seen = load(type, at);
        } while (!holds(type, comparison, seen, value));
        wait.end();
        return seen;
    }

    private String describe(SymmetricBuffer variable, long index, long at) {
        return "element " + index + " of " + variable + " (address 0x" + Long.toHexString(session.memory.address() + at)
                + "), which is " + text(variable.type(), load(variable.type(), at)) + ",";
    }

    private static String text(DataType type, long value) {
        return type == DataType.UINT64 ? Long.toUnsignedString(value) : Long.toString(value);
    }

    /** Several integers, the first of them at {@code at}, compared each with its own value, or all with the only one. */
    final class Several {
        private final String operation;
        private final SymmetricArray variables;
        private final DataType type;
        private final long at;
        private final boolean @Nullable [] skip;
        private final Comparison comparison;
        private final long[] values;

        Several(
                String operation,
                SymmetricArray variables,
                long at,
                boolean @Nullable [] skip,
                Comparison comparison,
                long[] values) {
            long count = variables.count();
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
        }

        private boolean skipped(long i) {
            return skip != null && skip[(int) i];
        }

        private boolean allSkipped() {
            for (long i = 0; i < variables.count(); i++) {
                if (!skipped(i)) {
                    return false;
                }
            }
            return true;
        }

        private long value(long i) {
            return values[values.length == 1 ? 0 : (int) i];
        }

        private boolean holds(long i) {
            return Waits.holds(type, comparison, load(type, at + i * type.bytes()), value(i));
        }

        /** The first one from {@code first} on that is not skipped and does not compare as asked; count if there is none. */
        private long firstMissing(long first) {
            long i = first;
            while (i < variables.count() && (skipped(i) || holds(i))) {
                i++;
            }
            return i;
        }

        boolean all() {
            return firstMissing(0) == variables.count();
        }

        /** One that compares as asked, or −1. The search goes on behind the one that was found last, so that none is passed over for ever. */
        long any() {
            long count = variables.count();
            long turn = variables.turn;
            for (long n = 0; n < count; n++) {
                long i = turn + n < count ? turn + n : turn + n - count;
                if (!skipped(i) && holds(i)) {
                    variables.turn = i + 1 < count ? i + 1 : 0;
                    return i;
                }
            }
            return -1;
        }

        /** All that compare as asked, in ascending order. */
        long[] some() {
            long[] found = new long[Math.toIntExact(variables.count())];
            int n = 0;
            for (long i = 0; i < variables.count(); i++) {
                if (!skipped(i) && holds(i)) {
                    found[n++] = i;
                }
            }
            return Arrays.copyOf(found, n);
        }

        private Engine.Wait newWait(String which) {
            return session.engine.newWait(operation, () -> {
                long i = firstMissing(0);
                return which + " of " + variables + " to be " + comparison + " what was asked for; "
                        + (i == variables.count()
                                ? "all are now"
                                : describe(variables, i, at + i * type.bytes()) + " is the first that is not "
                                        + comparison + " " + text(type, value(i)));
            });
        }

        /** Each is seen to compare as asked, at one time or another. */
        void awaitAll() {
            long missing = firstMissing(0);
            if (missing == variables.count()) {
                return;
            }
            Engine.Wait wait = newWait("all");
            do {
                wait.once();
                missing = firstMissing(missing);
            } while (missing < variables.count());
            wait.end();
        }

        long awaitAny() {
            long found = any();
            if (found >= 0 || allSkipped()) {
                return found;
            }
            Engine.Wait wait = newWait("one");
            do {
                wait.once();
                found = any();
            } while (found < 0);
            wait.end();
            return found;
        }

        long[] awaitSome() {
            long[] found = some();
            if (found.length > 0 || allSkipped()) {
                return found;
            }
            Engine.Wait wait = newWait("some");
            do {
                wait.once();
                found = some();
            } while (found.length == 0);
            wait.end();
            return found;
        }
    }
}
