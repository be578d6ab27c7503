// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.util.function.Consumer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of collective calls; the same on all ranks.
 *
 * @param count elements of the whole vector, or of one rank's part where buffers have a part for each rank
 * @param seed of this row's data
 */
record Case(
        DataType type,
        @Nullable ReduceOp op,
        long count,
        int root,
        boolean inPlace,
        Memory memory,
        Via via,
        Values values,
        long seed) {

    /** Where buffers are. */
    enum Memory {
        /** From {@link Communicator#allocate}. */
        ENGINE,
        /** From {@link ContractEngine#memory}. */
        ORDINARY,
        /** Engine memory for sends and ordinary memory for receives on even ranks, the reverse on odd ones. */
        MIXED;

        boolean ofEngine(int rank, boolean send) {
            return this == ENGINE || this == MIXED && (rank % 2 == 0) == send;
        }
    }

    /** How a call is made. */
    enum Via {
        BLOCKING,
        GROUP,
        ASYNC;

        void call(Communicator comm, Consumer<Operations> operation) {
            switch (this) {
                case BLOCKING -> operation.accept(comm);
                case GROUP -> comm.group(operation);
                case ASYNC -> comm.groupAsync(operation).await();
            }
        }
    }

    /** What the elements are like. */
    enum Values {
        /**
         * 1, 2, −1 and −2: every sum and product of 8 ranks is exact, in whatever order and however often it is
         * rounded. Integers: any bits.
         */
        EXACT,
        /** Floats of many magnitudes, for which the order matters. Integers: any bits. */
        RANDOM,
        /** Also NaN, infinities, the largest and smallest numbers; the extremes of integers. */
        EXTREME
    }

    @Override
    public String toString() {
        return type + (op == null ? "" : " " + op) + " count " + count + " root " + root
                + (inPlace ? " in place" : " out of place") + ", memory " + memory + ", via " + via + ", values "
                + values;
    }
}
