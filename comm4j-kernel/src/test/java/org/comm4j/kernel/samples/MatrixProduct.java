// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** {@code c = a b}, row by row in memory. */
public final class MatrixProduct {
    /** Rows and columns of a block's tile. */
    public static final int TILE = 16;

    private MatrixProduct() {}

    /**
     * Blocks of {@link #TILE} × {@link #TILE} threads: each loads tiles of both factors into shared memory, an element
     * for each thread.
     */
    @Kernel
    public static void tiled(int rows, int columns, int inner, F32Ptr a, F32Ptr b, F32Ptr c) {
        float[] tileA = Shared.f32(TILE * TILE);
        float[] tileB = Shared.f32(TILE * TILE);
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        int row = BlockIdx.y() * TILE + y;
        int column = BlockIdx.x() * TILE + x;
        float sum = 0;
        for (int k = 0; k < inner; k += TILE) {
            tileA[y * TILE + x] = row < rows && k + x < inner ? a.get((long) row * inner + k + x) : 0;
            tileB[y * TILE + x] = k + y < inner && column < columns ? b.get((long) (k + y) * columns + column) : 0;
            Block.sync();
            for (int i = 0; i < TILE; i++) {
                sum += tileA[y * TILE + i] * tileB[i * TILE + x];
            }
            Block.sync();
        }
        if (row < rows && column < columns) {
            c.set((long) row * columns + column, sum);
        }
    }
}
