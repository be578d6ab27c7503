// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import org.jspecify.annotations.Nullable;

/** What a thread asks for so often that it is handed over as a parameter. */
enum Index {
    THREAD_X("ThreadIdx", "x"),
    THREAD_Y("ThreadIdx", "y"),
    THREAD_Z("ThreadIdx", "z"),
    BLOCK_X("BlockIdx", "x"),
    BLOCK_Y("BlockIdx", "y"),
    BLOCK_Z("BlockIdx", "z"),
    BLOCK_DIM_X("BlockDim", "x"),
    BLOCK_DIM_Y("BlockDim", "y"),
    BLOCK_DIM_Z("BlockDim", "z"),
    GRID_DIM_X("GridDim", "x"),
    GRID_DIM_Y("GridDim", "y"),
    GRID_DIM_Z("GridDim", "z"),
    GLOBAL_X("GlobalIdx", "x");

    private final String owner;
    private final String method;

    Index(String owner, String method) {
        this.owner = "org/comm4j/kernel/lang/" + owner;
        this.method = method;
    }

    static @Nullable Index of(MethodRef called) {
        for (Index index : values()) {
            if (index.owner.equals(called.owner()) && index.method.equals(called.name())) {
                return index;
            }
        }
        return null;
    }
}
