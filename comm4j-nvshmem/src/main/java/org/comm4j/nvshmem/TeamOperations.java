// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cuda.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;

/** The collective operations of a {@link Team}. */
abstract sealed class TeamOperations permits Team {
    final Session session;
    /** {@code nvshmem_team_t}. */
    final int handle;

    TeamOperations(Session session, int handle) {
        this.session = session;
        this.handle = handle;
    }

    /** @throws IllegalStateException after close, of the team or of all */
    abstract void check(String operation);

    /**
     * Orders all members: what was put into {@code stream} on any of them before is done when the stream passes this
     * ({@code nvshmemx_barrier_on_stream}).
     */
    public final void barrier(Stream stream) {
        check("barrier");
        CUstream queue = session.enter("barrier", stream);
        try {
            LibNvshmem.nvshmemx_barrier_on_stream(handle, queue);
            session.note(stream, "barrier", this, 0, null, 0);
        } finally {
            session.leave();
        }
    }

    /** {@link #barrier(Stream)}, waited for ({@code nvshmem_barrier}). */
    public final void barrier() {
        barrier(session.own);
        session.complete("barrier");
    }
}
