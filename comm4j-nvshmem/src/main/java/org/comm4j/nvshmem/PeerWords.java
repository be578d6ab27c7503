// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.cuda.PinnedArray;
import org.jspecify.annotations.Nullable;

/**
 * Memory of all PEs for kernels of layers above a communicator. It is freed with the {@link Nvshmem}, as freeing it is
 * collective. What kernels report to is closed with the communicator, so that nothing launches them after that.
 */
final class PeerWords {
    private final Nvshmem shmem;
    private final Session session;
    private final List<PeerMemory> given = new ArrayList<>();

    PeerWords(Nvshmem shmem, Session session) {
        this.shmem = shmem;
        this.session = session;
    }

    /**
     * Collective: returns zeroed memory on each PE, or null on all PEs if one does not reach another.
     *
     * @param limit how long a kernel waits
     */
    @Nullable
    PeerMemory allocate(long count, Duration limit) {
        String call = "peerMemory of " + count + " integers";
        boolean reaches = IntStream.range(0, session.nPes).allMatch(shmem::reaches);
        boolean all = session.collective(
                call,
                () -> session.agree(call, Boolean.toString(reaches)).stream().allMatch(Boolean::parseBoolean));
        if (!all) {
            return null;
        }
        SymmetricArray array = session.heap.keep(shmem.allocate(DataType.INT64, count));
        List<Buffer> parts = new ArrayList<>();
        for (int pe = 0; pe < session.nPes; pe++) {
            parts.add(shmem.ptr(array, pe));
        }
        PinnedArray report = session.device.allocatePinned(DataType.INT64, 1);
        PeerMemory memory = new PeerMemory(session.myPe, parts, report, limit, pe -> {
            String message = "a kernel on PE " + session.myPe + " of " + session.nPes + " has waited " + limit
                    + " for numbers of PE " + pe + " in vain: it must make the same operations in the same order";
            return shmem.failedPes().contains(pe)
                    ? new RankFailedException(pe, message)
                    : new CommTimeoutException(message);
        });
        given.add(memory);
        return memory;
    }

    /** Throws if a kernel has waited in vain. */
    void check() {
        for (PeerMemory each : given) {
            each.check();
        }
    }

    void close() {
        given.forEach(each -> ((PinnedArray) each.report()).close());
        given.clear();
    }
}
