// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.cuda.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A way in which the rows of a layer of one size go. On a GPU its calls are ordered in a stream; on the CPU, without
 * one, they return when they are done.
 */
interface MoeWay extends AutoCloseable {
    /** Dispatches the tokens along the routes of this number. */
    void dispatch(int round, @Nullable Stream stream);

    /** Combines what the last dispatch gave. */
    void combine(@Nullable Stream stream);

    /** Returns whether dispatch and combine have halves. */
    default boolean isSplit() {
        return false;
    }

    /** Calls the first half of a dispatch. */
    default void dispatchSend(int round, @Nullable Stream stream) {
        throw new UnsupportedOperationException("dispatchSend");
    }

    /** Calls the second half of a dispatch. */
    default void dispatchReceive(@Nullable Stream stream) {
        throw new UnsupportedOperationException("dispatchReceive");
    }

    /** Calls the first half of a combine. */
    default void combineSend(@Nullable Stream stream) {
        throw new UnsupportedOperationException("combineSend");
    }

    /** Calls the second half of a combine. */
    default void combineReceive(@Nullable Stream stream) {
        throw new UnsupportedOperationException("combineReceive");
    }

    /**
     * Collective: dispatches, lets each expert answer a row with the row itself, and combines.
     *
     * @return how many elements of this PE's sums are wrong
     */
    long wrong(int round, @Nullable Stream stream);

    @Override
    void close();
}
