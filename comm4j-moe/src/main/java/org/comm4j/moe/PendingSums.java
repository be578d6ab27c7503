// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.cuda.Stream;

/** Sums of a combine that has begun: its second half is to come, once. */
public final class PendingSums {
    private final ExpertParallel owner;
    private final Routed routed;
    private final Sums sums;
    private final long results;
    private boolean received;

    PendingSums(ExpertParallel owner, Routed routed, Sums sums, long results) {
        this.owner = owner;
        this.routed = routed;
        this.sums = sums;
        this.results = results;
    }

    Routed routed() {
        return routed;
    }

    Sums sums() {
        return sums;
    }

    long results() {
        return results;
    }

    /** {@link #receive(Stream)}, waited for. */
    public void receive() {
        once();
        owner.receive(this, null);
    }

    /**
     * Waits for the results of all PEs and sums them.
     *
     * @throws IllegalStateException if it was called before
     */
    public void receive(Stream stream) {
        nonNull(stream, "receive", "stream");
        once();
        owner.receive(this, stream);
    }

    private void once() {
        if (received) {
            throw new IllegalStateException("receive: the sums of " + routed + " were received already");
        }
        received = true;
    }
}
