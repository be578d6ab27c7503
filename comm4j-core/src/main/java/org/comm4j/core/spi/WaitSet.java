// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SymmetricBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Integers of this PE, compared each with its own value, or all with the only one: the search behind waits and tests
 * for all, any and some of them. An engine says what an integer is now, and how it waits. One object serves one call;
 * while it waits it allocates nothing.
 */
public abstract class WaitSet {
    /**
     * Where the next search for any of an array begins: behind what the last one found, so that none is passed over for
     * ever. An object that is new begins anywhere.
     */
    public static final class Turn {
        private long next = -1;

        public Turn() {}
    }

    private static final long[] NONE = {};

    private final SymmetricBuffer variables;
    private final DataType type;
    private final long count;
    private final boolean @Nullable [] skip;
    private final Comparison comparison;
    private final long[] values;
    private final Turn turn;
    /** All before it have been seen to compare as asked. */
    private long missing;

    private long any = -1;
    private long[] some = NONE;

    /**
     * @param call the operation and who calls it, for messages
     * @param variables checked already: integers that can be waited for
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each; cut to the type, as in C
     * @param turn that of {@code variables}
     */
    protected WaitSet(
            String call,
            SymmetricBuffer variables,
            boolean @Nullable [] skip,
            Comparison comparison,
            long[] values,
            Turn turn) {
        this.variables = variables;
        this.type = variables.type();
        this.count = variables.count();
        this.skip = skip;
        this.comparison = Objects.requireNonNull(comparison, "comparison");
        this.values = values;
        this.turn = turn;
        if (skip != null && skip.length != count) {
            throw new IllegalArgumentException(
                    call + ": skip has " + skip.length + " entries, not " + count + ", one for each of " + variables);
        }
        if (values.length != 1 && values.length != count) {
            throw new IllegalArgumentException(call + ": " + values.length + " values to compare with, not 1 or "
                    + count + ", one for each of " + variables);
        }
    }

    /** Prepares a look at all of them, where that is one operation. */
    protected void look() {}

    /**
     * Integer {@code i} as of the last look, as {@link #widened} gives it; what its writer stored before is visible
     * afterwards.
     */
    protected abstract long seen(long i);

    /**
     * Returns when {@code done}, which is looked at again and again; throws when it is in vain.
     *
     * @param which how many are waited for; {@link #describe} says the rest
     */
    protected abstract void await(BooleanSupplier done, String which);

    // ---- one integer ----

    /** A value of an integer type in the low bits, as a long. */
    public static long widened(DataType type, long bits) {
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

    /**
     * Whether an integer compares as asked.
     *
     * @param seen as {@link #widened} gives it
     * @param value is cut to the type, as in C
     */
    public static boolean holds(DataType type, long seen, Comparison comparison, long value) {
        long expected = widened(type, value);
        return Objects.requireNonNull(comparison, "comparison")
                .holds(type == DataType.UINT64 ? Long.compareUnsigned(seen, expected) : Long.compare(seen, expected));
    }

    /** A value, cut to the type, for messages. */
    public static String text(DataType type, long value) {
        return type == DataType.UINT64 ? Long.toUnsignedString(value) : Long.toString(widened(type, value));
    }

    /** What a wait for one integer is for, for messages. */
    public static String describe(SymmetricBuffer variable, long index, long seen, Comparison comparison, long value) {
        return element(variable, index, seen) + ", to be " + comparison + " " + text(variable.type(), value);
    }

    private static String element(SymmetricBuffer variables, long i, long seen) {
        DataType type = variables.type();
        return "element " + i + " of " + variables + " (address 0x"
                + Long.toHexString(variables.address() + i * type.bytes()) + "), which is " + text(type, seen);
    }

    // ---- several ----

    private boolean skipped(long i) {
        return skip != null && skip[(int) i];
    }

    private long value(long i) {
        return values[values.length == 1 ? 0 : (int) i];
    }

    private boolean holds(long i) {
        return holds(type, seen(i), comparison, value(i));
    }

    private boolean isEmpty() {
        long i = 0;
        while (i < count && skipped(i)) {
            i++;
        }
        return i == count;
    }

    private boolean lookForAll() {
        look();
        while (missing < count && (skipped(missing) || holds(missing))) {
            missing++;
        }
        return missing == count;
    }

    private boolean lookForAny() {
        look();
        if (count == 0) {
            return false;
        }
        long first = turn.next;
        if (first < 0 || first >= count) {
            first = ThreadLocalRandom.current().nextLong(count);
        }
        for (long n = 0; n < count; n++) {
            long i = first < count - n ? first + n : first + n - count;
            if (!skipped(i) && holds(i)) {
                turn.next = i + 1 < count ? i + 1 : 0;
                any = i;
                return true;
            }
        }
        return false;
    }

    private boolean lookForSome() {
        look();
        int found = 0;
        for (long i = 0; i < count; i++) {
            if (!skipped(i) && holds(i)) {
                if (found == 0) {
                    some = new long[Math.toIntExact(count - i)];
                }
                some[found++] = i;
            }
        }
        some = found == some.length ? some : Arrays.copyOf(some, found);
        return found > 0;
    }

    public final boolean testAll() {
        return lookForAll();
    }

    /** One that compares as asked, or −1. */
    public final long testAny() {
        boolean ignored = lookForAny();
        return any;
    }

    /** All that compare as asked, in ascending order. */
    public final long[] testSome() {
        boolean ignored = lookForSome();
        return some;
    }

    /** Each is seen to compare as asked, at one time or another. */
    public final void awaitAll() {
        if (!lookForAll()) {
            await(this::lookForAll, "all");
        }
    }

    /** −1 if there are none, or all are left out. */
    public final long awaitAny() {
        if (!isEmpty() && !lookForAny()) {
            await(this::lookForAny, "one");
        }
        return any;
    }

    /** None if there are none, or all are left out. */
    public final long[] awaitSome() {
        if (!isEmpty() && !lookForSome()) {
            await(this::lookForSome, "some");
        }
        return some;
    }

    /** What a wait is for, for messages. */
    protected final String describe(String which) {
        long i = missing;
        while (i < count && (skipped(i) || holds(i))) {
            i++;
        }
        return which + " of " + variables + " to be " + comparison + " what was asked for; "
                + (i == count
                        ? "all are now"
                        : element(variables, i, seen(i)) + ", is the first that is not " + comparison + " "
                                + text(type, value(i)));
    }
}
