// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import org.comm4j.core.DataType;
import org.comm4j.core.spi.Call;

/**
 * Choice of how a call waits, which must be the same on all ranks: it depends on the library, the options, the
 * operation and its size alone.
 *
 * <p>Non-blocking collectives of Open MPI have simpler algorithms than its blocking ones, and are slower by up to a
 * half from some size on. So the ranks meet first, by a barrier that is polled, and block then. MPICH has the same
 * algorithms for both. On several hosts Open MPI 5 is polled, too: a blocking collective there stands still for seconds
 * when a second thread of the process calls it, in C as well.
 */
final class Ways {
    /** Size in bytes from which on ranks meet and block, where the library gains by it. */
    static final long MEET_FROM = Long.getLong("org.comm4j.mpi.meet", 32 << 10);

    private final boolean blocking;
    private final boolean gains;

    /**
     * @param gains whether the library's blocking collectives are quicker than its non-blocking ones
     * @param severalThreads whether a thread may be in MPI while another one calls it
     */
    Ways(MpiOptions options, boolean gains, boolean severalThreads) {
        this.blocking = options.waits() == MpiOptions.Wait.BLOCK && severalThreads;
        this.gains = gains && severalThreads;
    }

    /** Returns whether MPI's blocking functions are called at once. */
    boolean isBlocking() {
        return blocking;
    }

    /** Returns whether the ranks meet before they call MPI's blocking function. */
    boolean meets(Call call) {
        DataType type = call.type();
        return gains
                && !blocking
                && type != null
                && isCollective(call.kind())
                && call.count() * type.bytes() >= MEET_FROM;
    }

    private static boolean isCollective(Call.Kind kind) {
        return switch (kind) {
            case ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> true;
            // The first has another count on each rank, the others are messages.
            case ALL_GATHER_V, ALL_TO_ALL_V, SEND, RECV, BARRIER, SPLIT -> false;
        };
    }
}
