// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.CommException;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/** Whether a communicator can be used, and if not, why. */
final class Health {
    static final String ABORTED = "this communicator was aborted; close it";
    static final String CLOSED = "this communicator is closed";

    private final String where;
    private volatile @Nullable String unusable;
    private volatile @Nullable CommException failure;
    private volatile boolean suspended;
    private volatile boolean ended;
    private volatile boolean closed;

    Health(String where) {
        this.where = where;
    }

    /** Throws unless the communicator can communicate. */
    void check(String operation) {
        String reason = unusable;
        if (reason != null) {
            throw new IllegalStateException(operation + " on " + where + ": " + reason, failure);
        }
    }

    /** Throws unless the communicator exists, be it out of step. */
    void checkExists(String operation) {
        if (ended) {
            check(operation);
        }
    }

    boolean isUsable() {
        return unusable == null;
    }

    boolean isOpen() {
        return !closed;
    }

    /** True once NCCL's own communicator is gone, or going: nothing touches it but what ends it. */
    boolean isEnded() {
        return ended;
    }

    /** Why the communicator cannot be used; null if it can. */
    @Nullable
    String reason() {
        return unusable;
    }

    @Nullable
    CommException failure() {
        return failure;
    }

    /** After a failure in the middle of an operation nobody knows what the other ranks did. */
    synchronized <E extends CommException> E failed(E e) {
        boolean refused = e instanceof NcclException nccl
                && (nccl.status() == LibNccl.ncclInvalidArgument || nccl.status() == LibNccl.ncclInvalidUsage);
        if (!refused && unusable == null) {
            failure = e;
            unusable =
                    "this communicator is out of step with the other ranks since an earlier failure; shrink or close it ("
                            + e.getMessage() + ")";
        }
        return e;
    }

    /** Not usable until {@link #resume}. */
    synchronized void suspend() {
        if (unusable == null) {
            suspended = true;
            unusable = "this communicator is suspended; resume it first";
        }
    }

    boolean isSuspended() {
        return suspended;
    }

    synchronized void resume() {
        if (suspended) {
            suspended = false;
            unusable = null;
        }
    }

    /** Not usable any more, but there to be closed, or shrunk. */
    synchronized void retire(String reason) {
        if (!ended) {
            suspended = false;
            unusable = reason;
        }
    }

    /** Whoever gets true from this ends NCCL's communicator; it is the first. */
    synchronized boolean end(String reason) {
        boolean first = !ended;
        if (first) {
            retire(reason);
            ended = true;
        }
        return first;
    }

    /** What remained after the {@link #end} is closed, too. */
    synchronized void close() {
        end(CLOSED);
        closed = true;
        unusable = CLOSED;
    }
}
