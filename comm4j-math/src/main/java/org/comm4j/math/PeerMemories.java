// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.comm4j.core.Communicator;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.cuda.PeerAccess;
import org.comm4j.cuda.PeerMemory;
import org.comm4j.kernel.lang.PeerPointers;
import org.jspecify.annotations.Nullable;

/** The memory of communicators' ranks by which the kernels of one queue reach each other. */
final class PeerMemories {
    /** What sums over the ranks of each communicator; empty where there is none. */
    private final IdentityHashMap<Communicator, Optional<PeerMemory>> known = new IdentityHashMap<>();

    /** What exchanges share. */
    private final IdentityHashMap<Communicator, PeerMemory> sharedInOrder = new IdentityHashMap<>();

    private final IdentityHashMap<Communicator, PeerMemory> sharedBeside = new IdentityHashMap<>();

    private final List<PeerMemory> others = new ArrayList<>();

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

    /**
     * Collective: returns new memory, or null on all ranks if there is none.
     *
     * @param recording whether nothing can be allocated now, on all ranks alike
     */
    @Nullable
    PeerMemory allocate(Communicator communicator, boolean recording, long count) {
        PeerMemory memory = communicator instanceof PeerAccess there && !recording ? there.peerMemory(count) : null;
        if (memory != null) {
            others.add(memory);
        }
        return memory;
    }

    /**
     * Collective: returns memory that all exchanges of a communicator share, or null on all ranks if there is none, or
     * no room for it.
     *
     * @param beside for exchanges that run in another stream
     * @param recording whether nothing can be allocated now, on all ranks alike
     */
    @Nullable
    PeerMemory shared(Communicator communicator, boolean beside, boolean recording, long count) {
        IdentityHashMap<Communicator, PeerMemory> shared = beside ? sharedBeside : sharedInOrder;
        PeerMemory memory = shared.get(communicator);
        if (memory != null && memory.parts().getFirst().count() >= count) {
            return memory;
        }
        if (communicator.size() > PeerPointers.MAX) {
            return null;
        }
        try {
            memory = allocate(communicator, recording, count);
        } catch (SymmetricMemoryException e) {
            return null;
        }
        if (memory != null) {
            shared.put(communicator, memory);
        }
        return memory;
    }

    /** Throws if a kernel has waited for a rank in vain. */
    void check() {
        others.forEach(PeerMemory::check);
        for (Optional<PeerMemory> each : known.values()) {
            if (each.isPresent()) {
                each.get().check();
            }
        }
    }
}
