// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/** The place of this thread in the grid: {@code blockIdx * blockDim + threadIdx}. */
public final class GlobalIdx {
    private GlobalIdx() {}

    public static int x() {
        return BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
    }

    public static int y() {
        return BlockIdx.y() * BlockDim.y() + ThreadIdx.y();
    }

    public static int z() {
        return BlockIdx.z() * BlockDim.z() + ThreadIdx.z();
    }

    /** For grids of more than 2³¹ threads. */
    public static long xLong() {
        return (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
    }

    /** For grids of more than 2³¹ threads. */
    public static long yLong() {
        return (long) BlockIdx.y() * BlockDim.y() + ThreadIdx.y();
    }

    /** For grids of more than 2³¹ threads. */
    public static long zLong() {
        return (long) BlockIdx.z() * BlockDim.z() + ThreadIdx.z();
    }
}
