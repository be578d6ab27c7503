// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;

/** A step of Jacobi's method for Laplace's equation on a plane. */
public final class Jacobi {
    private Jacobi() {}

    /**
     * Each inner point becomes the mean of its four neighbours. {@code largest} is at least the largest change:
     * non-negative floats are in the order of their bits.
     */
    @Kernel
    public static void step(int width, int height, F32Ptr from, F32Ptr to, I32Ptr largest) {
        int x = GlobalIdx.x() + 1;
        int y = GlobalIdx.y() + 1;
        if (x < width - 1 && y < height - 1) {
            long at = (long) y * width + x;
            float mean = 0.25f * (from.get(at - 1) + from.get(at + 1) + from.get(at - width) + from.get(at + width));
            to.set(at, mean);
            largest.atomicMax(0, Float.floatToRawIntBits(Math.abs(mean - from.get(at))));
        }
    }
}
