// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.HostArray;

/**
 * Memory of the ranks of a communicator which kernels of each of them reach: what {@link PeerAccess} gives.
 *
 * @param rank this rank
 * @param parts the memory of each rank, {@code INT64}, in the order of ranks
 * @param report one {@code INT64} that the host and kernels of this rank reach: 0, or one more than the rank that a
 *     kernel has waited for in vain. Kernels do not wait any more then.
 * @param timeout how long a kernel waits for another rank; zero for no limit
 * @param failure makes the exception for a rank that was waited for in vain
 */
public record PeerMemory(int rank, List<Buffer> parts, HostArray report, Duration timeout, Failure failure) {
    /** The naming of a failure. */
    @FunctionalInterface
    public interface Failure {
        /** Returns what to throw. */
        CommException of(int rank);
    }

    /** Copies the list. */
    public PeerMemory {
        parts = List.copyOf(parts);
    }

    /**
     * Checks what kernels have reported. Nothing happens after the communicator was closed.
     *
     * @throws CommException if one has waited in vain
     */
    public void check() {
        long reported = report.isAlive() ? report.getLong(0) : 0;
        if (reported != 0) {
            throw failure.of((int) reported - 1);
        }
    }
}
