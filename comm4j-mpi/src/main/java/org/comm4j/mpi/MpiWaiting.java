// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Waiting;

/** How a rank waits for requests of MPI, and what it says when that is in vain. */
final class MpiWaiting extends Waiting {
    private static final String LEFT =
            "; MPI cannot cancel it: this communicator is out of step, and its buffers stay in use";

    private final String where;
    private final Peers peers;

    MpiWaiting(String where, Peers peers) {
        super(where, peers);
        this.where = where;
        this.peers = peers;
    }

    @Override
    protected void lookForErrors(Object what) {}

    @Override
    protected CommException dead(Object what, List<Integer> failed) {
        int rank = failed.getFirst();
        return new RankFailedException(
                peers.worldRank(rank), what + " on " + where + ": rank " + rank + " is gone" + LEFT);
    }

    @Override
    protected CommException expired(Object what, long timeoutNanos) {
        return new CommTimeoutException(what + " on " + where + " is not done after "
                + Duration.ofNanos(timeoutNanos).toMillis() + " ms: another rank has not called it, or is stuck"
                + LEFT);
    }
}
