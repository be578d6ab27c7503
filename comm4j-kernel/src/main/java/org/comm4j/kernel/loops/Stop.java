// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/**
 * Where threads wait for each other.
 *
 * @param number from 1
 * @param arguments the operand, then of exchanges the lane and the width, then of operations of a warp the mask
 */
record Stop(int number, What what, String name, Position at, List<Val> arguments, Val.@Nullable Reg result) {
    enum What {
        SYNC_BLOCK,
        SYNC_COUNT,
        SYNC_WARP,
        SHUFFLE,
        SHUFFLE_UP,
        SHUFFLE_DOWN,
        SHUFFLE_XOR,
        BALLOT,
        MATCH_ANY,
        MATCH_ALL,
        REDUCE_ADD,
        REDUCE_MIN,
        REDUCE_MAX,
        REDUCE_AND,
        REDUCE_OR,
        REDUCE_XOR;

        boolean isOfBlock() {
            return this == SYNC_BLOCK || this == SYNC_COUNT;
        }

        boolean isExchange() {
            return ordinal() >= SHUFFLE.ordinal() && ordinal() <= SHUFFLE_XOR.ordinal();
        }
    }

    /** The values' kind; of what has none, int. */
    Kind kind() {
        return what == What.SYNC_BLOCK || what == What.SYNC_WARP
                ? Kind.INT
                : arguments.getFirst().kind();
    }

    /** {@code Block.sync()}. */
    String signature() {
        return name + (what == What.SYNC_COUNT ? "(boolean)" : "()");
    }

    boolean hasOperand() {
        return what != What.SYNC_BLOCK && what != What.SYNC_WARP;
    }

    Val mask() {
        return arguments.getLast();
    }
}
