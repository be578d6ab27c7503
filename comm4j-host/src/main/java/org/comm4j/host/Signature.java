// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.List;
import java.util.StringJoiner;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * A collective call in two words. The members of a {@link Team} tell each other with every step what they call, so that
 * calls that do not fit together are found before anything is read: the head has the operation, the element type, the
 * reduction, the root and a hash of further arguments; the second word is the count.
 *
 * <pre>
 * bits 0 to 5      operation
 * bit 6            whether the members compare the call themselves, by words that they exchange
 * bits 7 to 11     element type + 1; 0 for none
 * bits 12 to 15    reduction + 1; 0 for none
 * bits 16 to 35    root + 1; 0 for none
 * bits 36 to 63    hash of further arguments
 * </pre>
 */
public final class Signature {
    /** The count of an operation whose members may have different ones. */
    public static final long ANY_COUNT = -1;

    /** No root, for {@link #head}. */
    public static final int NO_ROOT = -1;

    private static final List<String> OPERATIONS = List.of(
            "communicator",
            "barrier",
            "sync",
            "split",
            "allocate",
            "allReduce",
            "reduce",
            "broadcast",
            "allGather",
            "allGatherV",
            "reduceScatter",
            "allToAll",
            "allToAllV",
            "gather",
            "scatter",
            "barrierAll",
            "syncAll",
            "splitStrided",
            "split2d",
            "allocateAligned",
            "reallocate",
            "sumInscan",
            "sumExscan",
            "fcollect",
            "collect",
            "allToAllStrided",
            "another collective");

    private static final long COMPARED = 1L << 6;
    private static final int OPERATION_MASK = 63;
    private static final int TYPE = 7;
    private static final int OP = 12;
    private static final int ROOT = 16;
    private static final int MORE = 36;

    /** Brings all bits of a number to its upper end. */
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private Signature() {}

    /** The number of an operation, to be asked once and kept. */
    public static int operation(String name) {
        int number = OPERATIONS.indexOf(name);
        return number < 0 ? OPERATIONS.size() - 1 : number;
    }

    /**
     * The first word of a call.
     *
     * @param operation of {@link #operation}
     * @param root {@link #NO_ROOT} if there is none
     * @param more a number for what else must be the same; 0 if there is nothing
     */
    public static long head(int operation, @Nullable DataType type, @Nullable ReduceOp op, int root, long more) {
        return operation
                | (type == null ? 0 : type.ordinal() + 1L << TYPE)
                | (op == null ? 0 : op.ordinal() + 1L << OP)
                | root + 1L << ROOT
                | more * MIX >>> MORE << MORE;
    }

    /** The first word of a call without data. */
    public static long head(int operation) {
        return operation;
    }

    /** The first word of a call whose members exchange words to compare, and refuse together what differs. */
    public static long comparing(int operation) {
        return operation | COMPARED;
    }

    /** Whether the members of two calls that differ find that out themselves. */
    static boolean compareThemselves(long head, long other) {
        return (head & other & COMPARED) != 0;
    }

    /** The call, for messages. */
    static String describe(long head, long count) {
        StringJoiner text = new StringJoiner(", ", operationOf(head) + "(", ")");
        int type = (int) (head >>> TYPE & 31) - 1;
        if (type >= 0) {
            String elements = DataType.values()[type].name();
            text.add(count == ANY_COUNT ? elements : count + " x " + elements);
        }
        int op = (int) (head >>> OP & 15) - 1;
        if (op >= 0) {
            text.add(ReduceOp.values()[op].name());
        }
        long root = (head >>> ROOT & (1 << MORE - ROOT) - 1) - 1;
        if (root >= 0) {
            text.add("root " + root);
        }
        return text.toString();
    }

    private static String operationOf(long head) {
        return OPERATIONS.get((int) Math.min(head & OPERATION_MASK, OPERATIONS.size() - 1));
    }
}
