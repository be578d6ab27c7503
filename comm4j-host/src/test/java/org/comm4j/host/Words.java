// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.comm4j.host.SharedHeap.LONG;

import java.lang.foreign.MemorySegment;

/** Words of symmetric {@code INT64} arrays, stored and waited for as the layers above do it. */
final class Words {
    private Words() {}

    /** Stores a word on {@code pe}: who sees it sees what was stored before, and who waits for it is woken. */
    static void store(HostShmem shmem, SymmetricArray array, long index, long value, int pe) {
        MemorySegment there = shmem.ptr(array, pe).segment();
        LONG.setRelease(there, index * Long.BYTES, value);
        shmem.memory().written(pe);
    }

    /** Waits until a word of this PE is {@code value}. */
    static void await(HostShmem shmem, SymmetricArray array, long index, long value) {
        MemorySegment mine = array.segment();
        PeerMemory.Wait wait = shmem.memory().newWait("await", () -> array + " to be EQ " + value);
        while ((long) LONG.getAcquire(mine, index * Long.BYTES) != value) {
            wait.once();
        }
        wait.end();
    }
}
