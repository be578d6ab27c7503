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
 * @param arguments the operand, then of exchanges the lane and the width, then of operations of a warp the mask; of
 *     named barriers their number and count
 */
record Stop(int number, What what, String name, Position at, List<Val> arguments, Val.@Nullable Reg result) {
    enum What {
        SYNC_BLOCK,
        SYNC_COUNT,
        /** Reductions of {@code double} or {@code long} over the block. */
        BLOCK_ADD,
        BLOCK_MIN,
        BLOCK_MAX,
        /** A named barrier: its number, and how many come to it. */
        SYNC_NAMED,
        /** The same without waiting. */
        ARRIVE_NAMED,
        SYNC_GRID,
        SYNC_CLUSTER,
        /** Other threads, and other blocks, go first. */
        PAUSE,
        /** Other threads may go first while a Java method waits for something. */
        CALL,
        /** A Java method has been called by the first thread of the warp or block for this one, too. */
        FIRST,
        /** Where a region is too long. */
        CUT,
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

        /** Whether all threads of the block come to it, and get the same result, if there is one. */
        boolean isOfBlock() {
            return ordinal() <= BLOCK_MAX.ordinal();
        }

        boolean isOfWarp() {
            return ordinal() >= SYNC_WARP.ordinal();
        }

        boolean isExchange() {
            return ordinal() >= SHUFFLE.ordinal() && ordinal() <= SHUFFLE_XOR.ordinal();
        }
    }

    /** The values' kind; of what has none, int. */
    Kind kind() {
        return hasOperand() ? arguments.getFirst().kind() : Kind.INT;
    }

    /** {@code Block.sync()}. */
    String signature() {
        return name + (what == What.SYNC_COUNT ? "(boolean)" : "()");
    }

    boolean hasOperand() {
        return what.isOfBlock() && what != What.SYNC_BLOCK || what.ordinal() > What.SYNC_WARP.ordinal();
    }

    /** Whether it combines numbers of all threads of the block. */
    boolean isReduction() {
        return what.isOfBlock() && what != What.SYNC_BLOCK && what != What.SYNC_COUNT;
    }

    Val mask() {
        return arguments.getLast();
    }
}
