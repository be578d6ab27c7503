// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.CacheHint;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/** Kernels as one writes them. */
final class VocabularyKernels {
    private static final int TILE = 16;

    private VocabularyKernels() {}

    @Kernel(maxThreads = 256, minBlocks = 2)
    static void saxpy(F32Ptr y, F32Ptr x, float a, long n) {
        long i = GlobalIdx.xLong();
        if (i < n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }

    @Kernel
    static void stencil(F32View out, F32View in, float weight) {
        for (long i = GlobalIdx.xLong() + 1; i < in.length() - 1; i += (long) GridDim.x() * BlockDim.x()) {
            out.set(i, weight * (in.get(i - 1) + in.get(i + 1)));
        }
    }

    @Kernel
    static void matrix(F32Ptr c, F32Ptr a, F32Ptr b, int n) {
        float[] left = Shared.f32(TILE * TILE);
        float[] right = Shared.f32(TILE * TILE);
        int row = BlockIdx.y() * TILE + ThreadIdx.y();
        int column = BlockIdx.x() * TILE + ThreadIdx.x();
        int at = ThreadIdx.y() * TILE + ThreadIdx.x();
        float sum = 0;
        for (int k = 0; k < n; k += TILE) {
            left[at] = a.get((long) row * n + k + ThreadIdx.x());
            right[at] = b.get((long) (k + ThreadIdx.y()) * n + column);
            Block.sync();
            for (int j = 0; j < TILE; j++) {
                Unroll.all();
                sum += left[ThreadIdx.y() * TILE + j] * right[j * TILE + ThreadIdx.x()];
            }
            Block.sync();
        }
        c.set((long) row * n + column, sum);
    }

    @Kernel
    static void reduce(F32Ptr out, F32Ptr in, int n) {
        float[] partial = Shared.f32(Warp.SIZE);
        float sum = 0;
        for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            sum += in.get(i);
        }
        sum = warpSum(sum);
        if (Warp.laneId() == 0) {
            partial[ThreadIdx.x() / Warp.SIZE] = sum;
        }
        Block.sync();
        if (ThreadIdx.x() < Warp.SIZE) {
            sum = warpSum(ThreadIdx.x() < BlockDim.x() / Warp.SIZE ? partial[ThreadIdx.x()] : 0);
            if (ThreadIdx.x() == 0) {
                out.atomicAdd(0, sum);
            }
        }
    }

    private static float warpSum(float value) {
        for (int step = Warp.SIZE / 2; step > 0; step /= 2) {
            value += Warp.shuffleXor(value, step);
        }
        return value;
    }

    @Kernel
    static void histogram(I32Ptr bins, I32Ptr values, int n) {
        int[] local = Shared.i32(64);
        for (int i = ThreadIdx.x(); i < 64; i += BlockDim.x()) {
            local[i] = 0;
        }
        Block.sync();
        for (int i = GlobalIdx.x(); i < n; i += GridDim.x() * BlockDim.x()) {
            I32Ptr.of(local).atomicAdd(values.get(i) & 63, 1, Scope.BLOCK, Order.RELAXED);
        }
        Block.sync();
        for (int i = ThreadIdx.x(); i < 64; i += BlockDim.x()) {
            bins.atomicAdd(i, local[i]);
        }
    }

    @Kernel
    static void memory(I32Ptr flag, I64Ptr wide, F32Ptr data, F16Ptr half, F32Ptr out) {
        F32Ptr dynamic = Shared.dynamicF32();
        dynamic.set(ThreadIdx.x(), data.get(ThreadIdx.x(), CacheHint.NON_COHERENT));
        if (ThreadIdx.x() == 0) {
            flag.setRelease(0, 1, Scope.SYSTEM);
            while (flag.getAcquire(1) == 0) {
                Gpu.nanosleep(20);
            }
            Fence.system();
            wide.atomicAdd(0, 1L);
            out.set4(0, data.get4(0));
            half.set(0, half.get(1) + 1);
        }
        out.set(5, dynamic.get(0), CacheHint.STREAMING);
        int ballot = Warp.ballot(ThreadIdx.x() > 3);
        if (Warp.any(ballot == 5)) {
            Gpu.printf("thread %d of %s: %g %x %d%n", ThreadIdx.x(), "memory", data.get(0), wide.get(0), (byte) ballot);
        }
    }

    @Kernel(math = Kernel.Math.FAST)
    static void fast(F32Ptr x, int n) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, (float) Math.sin(x.get(i)) * (float) Math.exp(x.get(i)) + (float) Math.pow(x.get(i), 1.5));
        }
    }

    @Kernel
    static void mathematics(F64Ptr x, F32Ptr y, int n) {
        double d = x.get(0);
        int i = 0;
        x.set(i++, Math.sin(d) + Math.cos(d) + Math.tan(d));
        x.set(i++, Math.asin(d) + Math.acos(d) + Math.atan(d) + Math.atan2(d, 2));
        x.set(i++, Math.sinh(d) + Math.cosh(d) + Math.tanh(d) + Math.hypot(d, 1));
        x.set(i++, Math.exp(d) + Math.expm1(d) + Math.log(d) + Math.log10(d) + Math.log1p(d));
        x.set(i++, Math.pow(d, 3) + Math.cbrt(d) + Math.sqrt(d) + Math.IEEEremainder(d, 3));
        x.set(i++, Math.floor(d) + Math.ceil(d) + Math.rint(d) + Math.signum(d) + Math.round(d));
        x.set(i++, Math.fma(d, d, d) + Math.max(d, 1) + Math.ulp(d) + Math.scalb(d, 3) + Math.toRadians(d));
        y.set(0, Math.fma(y.get(0), 2f, 1f) + Math.max(y.get(1), y.get(2)) + Math.abs(y.get(3)));
        y.set(1, (float) Math.sqrt(y.get(4)) + Math.round(y.get(5)) + Math.nextUp(y.get(6)));
        y.set(2, Integer.reverse(n) + Integer.reverseBytes(n) + Math.addExact(n, 3) + (float) Math.multiplyHigh(n, 7L));
        y.set(3, Float.float16ToFloat((short) n) + Float.floatToFloat16(y.get(7)));
    }

    @Kernel(cluster = 2)
    static void asserted(I32Ptr x, int n) {
        assert n > 0 : "n is " + n;
        if (n > 1000) {
            throw new IllegalArgumentException("n is too large: " + n);
        }
        x.set(0, 1000 / n);
    }
}
