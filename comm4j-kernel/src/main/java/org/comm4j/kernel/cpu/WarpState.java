// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.util.List;

/** The threads of a warp that come together. */
final class WarpState {
    /** What a thread gets from an operation of the warp. */
    interface Answer {
        Answer NONE = (warp, thread, threads) -> 0;

        long of(WarpState warp, KernelThread thread, List<KernelThread> threads);
    }

    /** By lane; fewer than 32 in a block's last warp. */
    final KernelThread[] lanes;

    WarpState(KernelThread[] lanes) {
        this.lanes = lanes;
    }

    /** The lanes that exist. */
    int all() {
        return lanes.length == 32 ? -1 : (1 << lanes.length) - 1;
    }

    /** What {@code lane} has brought along; a thread that does not take part has brought nothing. */
    long operandOf(KernelThread reader, int lane, List<KernelThread> threads) {
        for (KernelThread thread : threads) {
            if (thread.lane() == lane) {
                return thread.operand;
            }
        }
        throw new IllegalStateException(reader.operation + " reads from lane " + lane + ", which "
                + (lane >= lanes.length
                        ? "does not exist: the warp has " + lanes.length + " threads"
                        : lanes[lane].state == KernelThread.State.ENDED
                                ? "has ended"
                                : "is not in the mask 0x" + Integer.toHexString(reader.mask)));
    }
}
