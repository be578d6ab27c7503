// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * The threads of a kernel that call a function together, all with the same arguments (NCCL's {@code ncclCoop…}). In
 * kernels a constant.
 */
@KernelLibrary
public enum Coop {
    /** Each thread for itself. */
    THREAD,
    /** The 32 threads of a warp. */
    WARP,
    /** All threads of a block. */
    BLOCK;

    /** The number of this thread among them. */
    int rank() {
        return this == BLOCK
                ? ThreadIdx.x() + BlockDim.x() * (ThreadIdx.y() + BlockDim.y() * ThreadIdx.z())
                : this == WARP ? Warp.laneId() : 0;
    }

    int size() {
        return this == BLOCK ? BlockDim.x() * BlockDim.y() * BlockDim.z() : this == WARP ? Warp.SIZE : 1;
    }

    /** All have come; what they wrote is seen by the others. */
    void sync() {
        if (this == BLOCK) {
            Block.sync();
        } else if (this == WARP) {
            Warp.sync();
        }
    }

    /** {@link #sync}; whether the condition is true for all. */
    boolean all(boolean condition) {
        if (this == BLOCK) {
            return Block.syncAnd(condition);
        }
        if (this == WARP) {
            boolean all = Warp.all(condition);
            Warp.sync();
            return all;
        }
        return condition;
    }
}
