// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.jspecify.annotations.Nullable;

/**
 * A reduction over ranks that is under way while more is computed ({@code MPI_Iallreduce}): on a GPU in a stream of its
 * own, also in a recorded graph. One at a time.
 */
public interface Overlap {
    /** Collective: starts an allReduce in place of what was computed so far. */
    void begin(Buffer numbers, ReduceOp op);

    /** Ends it: what is computed from now on sees the result. */
    void end();

    /** Returns one that ends before {@link #begin} returns. */
    static Overlap none(GroupedOperations operations) {
        return new Overlap() {
            @Override
            public void begin(Buffer numbers, ReduceOp op) {
                operations.allReduce(numbers, numbers, op);
            }

            @Override
            public void end() {}
        };
    }

    /** Returns one by the asynchronous operations of a communicator. */
    static Overlap of(Communicator communicator) {
        return new Overlap() {
            private @Nullable Request request;

            @Override
            public void begin(Buffer numbers, ReduceOp op) {
                request = communicator.allReduceAsync(numbers, numbers, op);
            }

            @Override
            public void end() {
                Request begun = request;
                request = null;
                if (begun != null) {
                    begun.await();
                }
            }
        };
    }
}
