// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Waiting;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/**
 * How a rank waits: it looks around for errors that NCCL noticed, and for an abort by another thread, besides the
 * usual.
 */
final class Watch extends Waiting {
    /** How long the world may take to find out which rank it was whose end NCCL noticed. */
    private static final Duration WHO = Duration.ofSeconds(2);

    private final NcclComm handle;
    private final String where;
    private final Peers peers;
    private final Health health;
    /** Made once: calls of communicators that do not block allocate nothing. */
    private final BooleanSupplier launched = this::isLaunched;

    private final MemorySegment cell = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);

    Watch(NcclComm handle, String where, Peers peers, Health health) {
        super(where, peers);
        this.handle = handle;
        this.where = where;
        this.peers = peers;
        this.health = health;
    }

    /** {@code ncclCommGetAsyncError}. */
    int asyncError() {
        synchronized (health) {
            if (health.isEnded()) {
                return LibNccl.ncclSuccess;
            }
            LibNccl.ncclCommGetAsyncError(handle, cell);
            return cell.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /** True when NCCL has nothing under way on the host. */
    boolean isLaunched() {
        return asyncError() != LibNccl.ncclInProgress;
    }

    /** Waits until what a communicator that does not block was asked to do is under way. */
    void awaitLaunch(Object what, long timeoutNanos) {
        await(launched, what, System.nanoTime(), timeoutNanos);
        lookForErrors(what);
    }

    @Override
    public void await(BooleanSupplier done, Object what, long start, long timeoutNanos) {
        super.await(done, what, start, timeoutNanos);
        if (health.isEnded()) {
            throw ended(what);
        }
    }

    @Override
    protected void lookForErrors(Object what) {
        if (health.isEnded()) {
            throw ended(what);
        }
        int status;
        try {
            status = asyncError();
        } catch (NativeCallException e) {
            throw failed(what, e);
        }
        if (status != LibNccl.ncclSuccess && status != LibNccl.ncclInProgress) {
            throw failed(what, status, null);
        }
    }

    private CommException ended(Object what) {
        return new CommException(what + " on " + where + " did not end well: " + health.reason());
    }

    @Override
    protected CommException dead(Object what, List<Integer> failed) {
        return dead(what, failed, "");
    }

    private CommException dead(Object what, List<Integer> failed, String also) {
        int rank = failed.getFirst();
        return new RankFailedException(
                peers.worldRank(rank),
                what + " on " + where + ": "
                        + (failed.size() == 1 ? "rank " + rank + " is gone" : "ranks " + failed + " are gone")
                        + peers.fate(rank)
                        + also
                        + "; the others can go on after shrink(" + Shrink.ABORT + ", "
                        + failed.toString().replaceAll("[\\[\\]]", "") + ")");
    }

    @Override
    protected CommTimeoutException expired(Object what, long timeoutNanos) {
        return new CommTimeoutException(late(what, timeoutNanos) + "; abort, shrink or close the communicator");
    }

    /** What is not done at the limit, and what is known of the reason. */
    String late(Object what, long timeoutNanos) {
        String said = Library.lastError();
        return what + " on " + where + " is not done after " + timeoutNanos / 1_000_000
                + " ms: another rank has not called it, has called something else, or is stuck"
                + (said.isEmpty() ? "" : "; NCCL's last message: " + said);
    }

    /** What to throw when a call of NCCL failed. */
    CommException failed(Object what, NativeCallException e) {
        return failed(what, e.status(), e);
    }

    private CommException failed(Object what, int status, @Nullable NativeCallException cause) {
        CommException failure = cause != null
                ? new NcclException(what + " on " + where, cause)
                : new NcclException(
                        what + " on " + where + ": NCCL reports " + LibNccl.statusName(status) + ": "
                                + Library.lastError() + " (NCCL " + Library.describe() + ")",
                        status,
                        LibNccl.statusName(status));
        if (status == LibNccl.ncclRemoteError || status == LibNccl.ncclSystemError) {
            List<Integer> failed = whoDied();
            if (!failed.isEmpty()) {
                CommException e = dead(what, failed, " (" + failure.getMessage() + ")");
                e.initCause(failure);
                return e;
            }
        }
        return failure;
    }

    private List<Integer> whoDied() {
        long end = System.nanoTime() + WHO.toNanos();
        while (peers.areKnown() && System.nanoTime() < end) {
            List<Integer> failed = peers.failedRanks();
            if (!failed.isEmpty()) {
                return failed;
            }
            LockSupport.parkNanos(NAP);
        }
        return List.of();
    }
}
