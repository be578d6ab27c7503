// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.BitSet;
import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.comm4j.core.spi.Waiting;
import org.comm4j.nvshmem.Nvshmem;

/** How the host waits for a stream in which kernels wait for other PEs. */
final class StreamWait extends Waiting {
    private final Nvshmem shmem;
    private final BitSet excluded;

    /** @param excluded PEs whose death ends no wait */
    StreamWait(Nvshmem shmem, World world, BitSet excluded) {
        super(shmem.toString(), Peers.all(world).without(excluded.stream().toArray()));
        this.shmem = shmem;
        this.excluded = excluded;
    }

    @Override
    protected void lookForErrors(Object what) {
        // The stream says so itself.
    }

    @Override
    protected CommException dead(Object what, List<Integer> failed) {
        // Numbers of those that failed are without the excluded ones.
        int first = shmem.failedPes().stream()
                .filter(pe -> !excluded.get(pe))
                .findFirst()
                .orElseThrow();
        return new RankFailedException(first, what + " on " + shmem + ": PE " + first + " died");
    }

    @Override
    protected CommException expired(Object what, long timeoutNanos) {
        return new CommTimeoutException(what + " on " + shmem + " is not done after " + timeoutNanos / 1_000_000
                + " ms: its kernels run still");
    }
}
