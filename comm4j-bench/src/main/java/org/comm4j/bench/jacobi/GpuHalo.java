// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;

/** How the ranks of one solve on GPUs communicate; all of it is put into streams, and may be recorded there. */
interface GpuHalo extends AutoCloseable {

    /**
     * Sends the first and the last own rows of a grid to the neighbours, as many as the halo has, and receives theirs.
     * Both grids take turns.
     */
    void exchange(int grid, Stream stream);

    /** Adds up the ranks' numbers, in place. */
    void sum(DeviceArray sum, Stream stream);

    @Override
    void close();

    /** One rank that is its own neighbour. */
    static GpuHalo alone(GpuSlab slab) {
        return new GpuHalo() {
            @Override
            public void exchange(int grid, Stream stream) {
                int depth = slab.depth();
                slab.rows(grid, -depth, depth).copyFrom(slab.rows(grid, slab.rows() - depth, depth), stream);
                slab.rows(grid, slab.rows(), depth).copyFrom(slab.rows(grid, 0, depth), stream);
            }

            @Override
            public void sum(DeviceArray sum, Stream stream) {}

            @Override
            public void close() {}
        };
    }
}
