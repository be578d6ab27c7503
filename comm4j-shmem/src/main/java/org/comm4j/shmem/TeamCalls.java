// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.util.Arrays;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.CheckedMode;
import org.comm4j.host.Signature;
import org.jspecify.annotations.Nullable;

/** The collective calls of a team's members, which must be the same. */
final class TeamCalls {
    /** The operations whose members are compared. */
    enum Operation {
        BARRIER("barrier"),
        SYNC("sync"),
        REDUCE("reduce"),
        REDUCE_SCATTER("reduceScatter"),
        SUM_INSCAN("sumInscan"),
        SUM_EXSCAN("sumExscan"),
        BROADCAST("broadcast"),
        FCOLLECT("fcollect"),
        COLLECT("collect"),
        ALL_TO_ALL("allToAll"),
        ALL_TO_ALL_STRIDED("allToAllStrided");

        private final String method;
        private final int number;

        Operation(String method) {
            this.method = method;
            this.number = Signature.operation(method);
        }

        private boolean isReduction() {
            return this == REDUCE || this == REDUCE_SCATTER;
        }
    }

    /** The words that others exchange begin otherwise. */
    private static final long FIRST = 0x636f6d70617265_00L;

    private static final Operation[] OPERATIONS = Operation.values();
    private static final ReduceOp[] REDUCTIONS = ReduceOp.values();

    private final Session session;
    private final Members members;
    private final Team team;

    TeamCalls(Session session, Members members, Team team) {
        this.session = session;
        this.members = members;
        this.team = team;
    }

    /**
     * Begins a call: says what it is to members that compare it step by step. In checked mode compares it at once.
     *
     * @param array of the type of the elements; null if there are none
     * @param count {@link Signature#ANY_COUNT} if the members need not have the same
     * @param first what else must be the same: the reduction, the root, the stride of the destination; 0: nothing
     * @param second the stride of the source; 0: there is none
     * @throws CollectiveMismatchException in checked mode, on all members, if they do not call the same
     */
    void begin(
            Operation operation,
            @Nullable SymmetricBuffer array,
            long to,
            long from,
            long count,
            long first,
            long second) {
        DataType type = array == null ? null : array.type();
        if (CheckedMode.ON) {
            compare(operation, type == null ? 0 : type.ordinal(), to, from, count, first, second);
        }
        ReduceOp op = operation.isReduction() ? REDUCTIONS[(int) first] : null;
        int root = operation == Operation.BROADCAST ? (int) first : Signature.NO_ROOT;
        long places = ((to * 31 + from) * 31 + first) * 31 + second;
        members.calls(Signature.head(operation.number, type, op, root, places), count);
    }

    private void compare(Operation operation, long... arguments) {
        members.calls(Signature.comparing(operation.number), 0);
        long[] mine = new long[1 + arguments.length];
        mine[0] = FIRST + operation.ordinal();
        System.arraycopy(arguments, 0, mine, 1, arguments.length);
        long[][] all = members.exchange(operation.method, mine);
        for (int member = 0; member < all.length; member++) {
            if (!Arrays.equals(all[member], mine)) {
                throw new CollectiveMismatchException(operation.method + " on " + session.where() + ": PE "
                        + team.worldPe(member) + " calls " + describe(all[member]) + " instead of " + describe(mine)
                        + "; all members of " + team + " must call the same");
            }
        }
    }

    private static String describe(long[] words) {
        long number = words[0] - FIRST;
        if (number < 0 || number >= OPERATIONS.length) {
            return "another collective method";
        }
        Operation operation = OPERATIONS[(int) number];
        if (operation == Operation.BARRIER || operation == Operation.SYNC) {
            return operation.method;
        }
        String count = words[4] == Signature.ANY_COUNT ? "" : words[4] + " x ";
        String more = switch (operation) {
            case REDUCE, REDUCE_SCATTER -> ", " + REDUCTIONS[(int) words[5]];
            case BROADCAST -> ", root " + words[5];
            case ALL_TO_ALL_STRIDED -> ", strides " + words[5] + " and " + words[6];
            default -> "";
        };
        return operation.method + "(" + count + DataType.values()[(int) words[1]] + more + ", from byte " + words[3]
                + " of the heap to byte " + words[2] + ")";
    }
}
