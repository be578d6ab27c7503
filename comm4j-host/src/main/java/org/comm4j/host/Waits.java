// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.comm4j.host.SharedHeap.INT;
import static org.comm4j.host.SharedHeap.LONG;

import java.util.Arrays;
import java.util.function.Supplier;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** Looking at, and waiting for, integers of this PE's memory; their places are checked already. */
final class Waits {
    private final SharedHeap heap;

    Waits(SharedHeap heap) {
        this.heap = heap;
    }

    /** Whether an atomic or a wait on {@code array} is one of 64 bits, else of 32. */
    static boolean isWide(SymmetricArray array) {
        return switch (array.type()) {
            case INT64, UINT64 -> true;
            case INT32, UINT32 -> false;
            default ->
                throw new IllegalArgumentException(
                        array + " is not for an atomic or a wait (integers of 32 and 64 bits)");
        };
    }

    /** A 32-bit value of an array as a long. */
    static long widened(SymmetricArray array, int value) {
        return array.type() == DataType.UINT32 ? value & 0xffff_ffffL : value;
    }

    /** The integer at {@code at}; what its writer stored before is visible afterwards. */
    long load(SymmetricArray array, long at) {
        return isWide(array)
                ? (long) LONG.getAcquire(heap.memory, at)
                : widened(array, (int) INT.getAcquire(heap.memory, at));
    }

    static boolean holds(SymmetricArray array, Comparison comparison, long seen, long value) {
        return comparison.holds(
                array.type() == DataType.UINT64 ? Long.compareUnsigned(seen, value) : Long.compare(seen, value));
    }

    /** Waits for one integer; returns what was seen. */
    long await(String method, SymmetricArray variable, long at, Comparison comparison, long value) {
        long seen = load(variable, at);
        if (holds(variable, comparison, seen, value)) {
            return seen;
        }
        Pause pause = new Pause(heap, new AnyPe(heap, () -> variable + " to be " + comparison + " " + value));
        pause.begin(method, heap.timeoutNanos, Pause.NOBODY);
        do {
            pause.once();
            seen = load(variable, at);
        } while (!holds(variable, comparison, seen, value));
        pause.end();
        return seen;
    }

    /** Several integers, the first of them at {@code at}, compared each with its own value, or all with the only one. */
    final class Several {
        private final SymmetricArray variables;
        private final long at;
        private final boolean @Nullable [] skip;
        private final Comparison comparison;
        private final long[] values;

        Several(
                SymmetricArray variables,
                long at,
                boolean @Nullable [] skip,
                Comparison comparison,
                long[] values,
                String what) {
            long count = variables.count();
            if (skip != null && skip.length != count) {
                throw new IllegalArgumentException(what + ": skip has " + skip.length + " entries, not " + count
                        + ", one for each of " + variables);
            }
            if (values.length != 1 && values.length != count) {
                throw new IllegalArgumentException(what + ": " + values.length + " values to compare with, not 1 or "
                        + count + ", one for each of " + variables);
            }
            boolean ignored = isWide(variables);
            this.variables = variables;
            this.at = at;
            this.skip = skip;
            this.comparison = comparison;
            this.values = values;
        }

        boolean skipped(long i) {
            return skip != null && skip[(int) i];
        }

        boolean allSkipped() {
            for (long i = 0; i < variables.count(); i++) {
                if (!skipped(i)) {
                    return false;
                }
            }
            return true;
        }

        private boolean holds(long i) {
            long seen = load(variables, at + i * variables.type().bytes());
            return Waits.holds(variables, comparison, seen, values[values.length == 1 ? 0 : (int) i]);
        }

        /** The first one from {@code first} on that is not skipped and does not compare as asked; count if there is none. */
        long firstMissing(long first) {
            long i = first;
            while (i < variables.count() && (skipped(i) || holds(i))) {
                i++;
            }
            return i;
        }

        /**
         * One that compares as asked, or −1. The search goes on behind the one that was found last, so that none is passed
         * over for ever.
         */
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

        private Pause pause(String method, String which) {
            Pause pause = new Pause(
                    heap,
                    new AnyPe(
                            heap,
                            () -> which + variables + " to be " + comparison + " "
                                    + (values.length == 0 ? 0 : values[0])));
            pause.begin(method, heap.timeoutNanos, Pause.NOBODY);
            return pause;
        }

        /** Each is seen to compare as asked, at one time or another. */
        void awaitAll(String method) {
            long missing = firstMissing(0);
            if (missing == variables.count()) {
                return;
            }
            Pause pause = pause(method, "all of ");
            do {
                pause.once();
                missing = firstMissing(missing);
            } while (missing < variables.count());
            pause.end();
        }

        long awaitAny(String method) {
            long found = any();
            if (found >= 0 || allSkipped()) {
                return found;
            }
            Pause pause = pause(method, "one of ");
            do {
                pause.once();
                found = any();
            } while (found < 0);
            pause.end();
            return found;
        }

        long[] awaitSome(String method) {
            long[] found = some();
            if (found.length > 0 || allSkipped()) {
                return found;
            }
            Pause pause = pause(method, "some of ");
            do {
                pause.once();
                found = any() < 0 ? found : some();
            } while (found.length == 0);
            pause.end();
            return found;
        }
    }

    /** A wait on memory, which any PE can end: it is hopeless only when all others are gone. */
    static final class AnyPe implements Pause.Peers {
        private final SharedHeap heap;
        private final Supplier<String> waitedFor;

        AnyPe(SharedHeap heap, Supplier<String> waitedFor) {
            this.heap = heap;
            this.waitedFor = waitedFor;
        }

        @Override
        public int gone(int peer) {
            int gone = -1;
            for (int pe = 0; pe < heap.size; pe++) {
                if (pe != heap.me) {
                    if (!heap.hasLeft(pe)) {
                        return -1;
                    }
                    gone = pe;
                }
            }
            return gone;
        }

        @Override
        public String waitedFor(int peer) {
            return waitedFor.get();
        }

        @Override
        public String waiter() {
            return "PE " + heap.me + " of " + heap.size;
        }
    }
}
