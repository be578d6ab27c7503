// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.IdentityHashMap;
import java.util.Optional;
import org.comm4j.core.Communicator;
import org.comm4j.cuda.PeerAccess;
import org.comm4j.cuda.PeerMemory;
import org.jspecify.annotations.Nullable;

/** The memory of each communicator's ranks by which one queue sums over them. */
final class PeerMemories {
    /** Empty where there is none. */
    private final IdentityHashMap<Communicator, Optional<PeerMemory>> known = new IdentityHashMap<>();

    /**
     * Collective the first time: returns the memory, or null on all ranks if there is none.
     *
     * @param recording whether nothing can be allocated now, on all ranks alike
     */
    @Nullable
    PeerMemory of(Communicator communicator, boolean recording) {
        if (!(communicator instanceof PeerAccess there) || communicator.size() > PeerSums.MOST_RANKS) {
            return null;
        }
        Optional<PeerMemory> memory = known.get(communicator);
        if (memory == null) {
            if (recording) {
                return null;
            }
            memory = Optional.ofNullable(there.peerMemory(PeerSums.length(communicator.size())));
            known.put(communicator, memory);
        }
        return memory.orElse(null);
    }

    /** Throws if a kernel has waited for a rank in vain. */
    void check() {
        for (Optional<PeerMemory> each : known.values()) {
            if (each.isPresent()) {
                each.get().check();
            }
        }
    }
}
