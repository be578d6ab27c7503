// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** {@code y = a x + y}. */
public final class Saxpy {
    private Saxpy() {}

    /** An element for each thread. */
    @Kernel
    public static void saxpy(int n, float a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    /** Any number of threads; each takes the elements that are a grid apart. */
    @Kernel
    public static void strided(long n, float a, F32View x, F32View y) {
        long step = (long) GridDim.x() * BlockDim.x();
        for (long i = (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < n; i += step) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }
}
