// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.List;

/** Hears where threads come together, to know what happens before what. This one does not listen. */
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
}
