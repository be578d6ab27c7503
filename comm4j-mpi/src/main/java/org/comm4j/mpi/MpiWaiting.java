// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Standstill;
import org.comm4j.core.spi.Waiting;
import org.jspecify.annotations.Nullable;

/** Waiting of a rank for requests of MPI, and what it says when that is in vain. */
final class MpiWaiting extends Waiting {
    private static final String LEFT =
            "; MPI cannot cancel it: this communicator is out of step, and its buffers stay in use";

    private static final int QUICK_LOOKS = 20;

    /** Messages travel only while MPI is called: naps of 100 µs double the time of 4 MiB. Others run as this yields. */
    private static final long SLEEP_AFTER = TimeUnit.MILLISECONDS.toNanos(10);

    private final String where;
    private final Peers peers;
    private final @Nullable Leavers leavers;
    private final int size;
    private final IntUnaryOperator worldRank;
    private volatile BooleanSupplier revocation = () -> false;
    /** Rank that a look for messages waits for; null for a call, which says that itself. */
    private @Nullable Integer source;

    /** @param leavers null where nobody tells */
    MpiWaiting(String where, Peers peers, int size, @Nullable Leavers leavers) {
        super(where, peers, SLEEP_AFTER);
        this.size = size;
        this.leavers = leavers;
        this.worldRank = peers::worldRank;
        this.where = where;
        this.peers = peers;
    }

    /** Waits for requests, first without a pause and without a look around. */
    void await(Requests requests, Object what, long timeoutNanos) {
        for (int i = 0; i < QUICK_LOOKS; i++) {
            if (requests.getAsBoolean()) {
                return;
            }
        }
        await(requests, what, System.nanoTime(), timeoutNanos);
    }

    @Override
    protected void lookForErrors(Object what) {
        Leavers known = leavers;
        if (known == null) {
            return;
        }
        int left = known.leftFor(source == null ? what : source, size, worldRank);
        if (left >= 0) {
            throw new RankFailedException(
                    peers.worldRank(left),
                    what + " on " + where + ": rank " + left + " closes its world" + peers.fate(left) + LEFT);
        }
    }

    /** Tells of the wait of a thread that is in MPI. */
    void tell(Thread thread, Object what, long waitedNanos) {
        Standstill.look(thread, waitedNanos, where, what::toString);
    }

    /** Sets the rank, or {@link Mpi#ANY_SOURCE}, that the next waits are for; null for waits of calls. */
    void source(@Nullable Integer source) {
        this.source = source;
    }

    /** Sets what ends the calls on a communicator; returns false where there is nothing. */
    void revocation(BooleanSupplier revocation) {
        this.revocation = revocation;
    }

    boolean revoke() {
        return revocation.getAsBoolean();
    }

    /** Returns what makes it useless to wait for a call, a rank that died or leaves; null if there is nothing. */
    @Nullable
    CommException problem(Object what) {
        List<Integer> failed = peers.failedRanks();
        if (!failed.isEmpty()) {
            return dead(what, failed);
        }
        try {
            lookForErrors(what);
            return null;
        } catch (CommException e) {
            return e;
        }
    }

    @Override
    protected CommException dead(Object what, List<Integer> failed) {
        int rank = failed.getFirst();
        return new RankFailedException(
                peers.worldRank(rank), what + " on " + where + ": rank " + rank + " is gone" + peers.fate(rank) + LEFT);
    }

    @Override
    protected CommException expired(Object what, long timeoutNanos) {
        return new CommTimeoutException(what + " on " + where + " is not done after "
                + Duration.ofNanos(timeoutNanos).toMillis() + " ms: another rank has not called it, or is stuck"
                + LEFT);
    }
}
