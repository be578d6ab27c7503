// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import org.comm4j.core.CommException;
import org.comm4j.ffi.nccl.LibNccl;
import org.jspecify.annotations.Nullable;

/** Whether a communicator can be used, and if not, why. */
final class Health {
    private final String where;
    private volatile @Nullable String unusable;
    private volatile @Nullable CommException failure;
    private volatile boolean closed;
    private volatile boolean ended;

    Health(String where) {
        this.where = where;
    }

    /** Throws unless the communicator can communicate. */
    void check(String operation) {
        if (unusable != null) {
            throw new IllegalStateException(operation + " on " + where + ": " + unusable, failure);
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

    /** True once NCCL's own communicator is gone, or going. */
    boolean isEnded() {
        return ended;
    }

    @Nullable
    CommException failure() {
        return failure;
    }

    /** After a failure in the middle of an operation nobody knows what the other ranks did. */
    <E extends CommException> E failed(E e) {
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

    /** Not usable for now, for a reason that may end. */
    void suspend(String reason) {
        unusable = reason;
    }

    void resume() {
        unusable = null;
    }

    void revoked() {
        unusable = "this communicator was revoked; shrink, split or close it";
    }

    void aborted() {
        ended = true;
        unusable = "this communicator was aborted; close it";
    }

    void closed() {
        ended = true;
        closed = true;
        unusable = "this communicator is closed";
    }
}
