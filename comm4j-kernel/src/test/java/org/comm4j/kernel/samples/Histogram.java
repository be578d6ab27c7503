// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** How often each byte is there. */
public final class Histogram {
    /** Values of a byte. */
    public static final int BINS = 256;

    private Histogram() {}

    /** Straight into the result. */
    @Kernel
    public static void global(int n, I8Ptr bytes, I32Ptr counts) {
        for (int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            counts.atomicAdd(bytes.get(i) & 0xff, 1);
        }
    }

    /** Each block counts in shared memory first. */
    @Kernel
    public static void shared(int n, I8Ptr bytes, I32Ptr counts) {
        I32Ptr own = I32Ptr.of(Shared.i32(BINS));
        for (int bin = ThreadIdx.x(); bin < BINS; bin += BlockDim.x()) {
            own.set(bin, 0);
        }
        Block.sync();
        for (int i = BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            own.atomicAdd(bytes.get(i) & 0xff, 1);
        }
        Block.sync();
        for (int bin = ThreadIdx.x(); bin < BINS; bin += BlockDim.x()) {
            counts.atomicAdd(bin, own.get(bin));
        }
    }
}
