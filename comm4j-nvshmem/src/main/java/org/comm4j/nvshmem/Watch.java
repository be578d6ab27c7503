// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.LastWords;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Waiting;

/** How a PE waits for a stream: it looks around for dead PEs, the limit, and another thread that found this in vain. */
final class Watch extends Waiting {
    private final Session session;

    Watch(Session session) {
        super(session.where(), Peers.all(session.world));
        this.session = session;
    }

    @Override
    protected void lookForErrors(Object what) {
        session.checkInStep(what.toString());
    }

    @Override
    protected CommException dead(Object what, List<Integer> failed) {
        return new RankFailedException(
                failed.getFirst(),
                what + " on " + session.where() + ": "
                        + (failed.size() == 1 ? "PE " + failed.getFirst() + " is gone" : "PEs " + failed + " are gone")
                        + LastWords.of(session.world, failed.getFirst())
                        + session.notes.pending(what)
                        + "; close the Nvshmem, the others cannot go on without");
    }

    @Override
    protected CommException expired(Object what, long timeoutNanos) {
        return new CommTimeoutException(late(what, timeoutNanos) + "; nothing but close() is possible now");
    }

    /** What is not done at the limit, and what it waits for. */
    String late(Object what, long timeoutNanos) {
        return what + " on " + session.where() + " is not done after " + timeoutNanos / 1_000_000 + " ms: "
                + session.notes.explain(what);
    }
}
