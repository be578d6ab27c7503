// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** Columns become rows. */
public final class Transpose {
    /** Rows and columns of a tile; a block has {@link #ROWS} times as many threads. */
    public static final int TILE = 32;

    /** Rows of threads. */
    public static final int ROWS = 8;

    // A column more than needed, so that those of a tile are in different banks.
    private static final int PITCH = TILE + 1;

    private Transpose() {}

    @Kernel
    public static void tiled(int rows, int columns, F32Ptr from, F32Ptr to) {
        float[] tile = Shared.f32(TILE * PITCH);
        int column = BlockIdx.x() * TILE + ThreadIdx.x();
        for (int y = ThreadIdx.y(); y < TILE; y += BlockDim.y()) {
            int row = BlockIdx.y() * TILE + y;
            if (row < rows && column < columns) {
                tile[y * PITCH + ThreadIdx.x()] = from.get((long) row * columns + column);
            }
        }
        Block.sync();
        int target = BlockIdx.y() * TILE + ThreadIdx.x();
        for (int y = ThreadIdx.y(); y < TILE; y += BlockDim.y()) {
            int row = BlockIdx.x() * TILE + y;
            if (row < columns && target < rows) {
                to.set((long) row * rows + target, tile[ThreadIdx.x() * PITCH + y]);
            }
        }
    }
}
