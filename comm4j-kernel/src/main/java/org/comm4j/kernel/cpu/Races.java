// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.kernel.lang.Ptr;

/**
 * Hears where threads come together and what they access, to know what happens before what. This one does not listen.
 */
class Races {
    /** All threads of a block have met. */
    void blockSync(List<KernelThread> threads) {}

    /** A thread has come to a named barrier. */
    void namedArrive(BlockState.Barrier barrier, KernelThread thread) {}

    /** A named barrier opens for those that wait there, and for {@code last} if {@code waits}. */
    void namedOpen(BlockState.Barrier barrier, KernelThread last, boolean waits) {}

    void warpSync(List<KernelThread> threads) {}

    /** All blocks have met, where each of them had met by itself. */
    void gridSync(List<BlockState> blocks) {}

    void clusterSync(List<KernelThread> threads) {}

    /**
     * A thread, or the copy engine in the name of those who wait for it, has written shared memory that it copied to.
     */
    void copied(KernelThread thread, MemorySegment memory, long offset, long bytes, boolean byEngine) {}

    void fence(KernelThread thread) {}

    /** An element of a Java array, {@link PointerAccess#READ} or {@link PointerAccess#WRITE}; before it happens. */
    void array(KernelThread thread, Object array, int index, int kind) {}

    /** Elements behind a pointer; before it happens. */
    void pointer(KernelThread thread, Ptr pointer, long index, PointerAccess access) {}
}
