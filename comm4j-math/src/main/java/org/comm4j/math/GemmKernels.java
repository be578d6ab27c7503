// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Float2;
import org.comm4j.kernel.lang.Half2;
import org.comm4j.kernel.lang.Kernel;

/** The kernels of {@link Gemm}: C = α op(A) op(B) + β C for each type of C. */
final class GemmKernels {
    private GemmKernels() {}

    @Kernel(maxThreads = GemmTile.THREADS, minBlocks = 1)
    static void f32(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            @Constant int grouped,
            GemmTile.Problem problem,
            float alpha,
            float beta,
            F32Ptr c) {
        GemmTile.multiply(type, transposeA, transposeB, cluster, grouped, problem, (_, row, column, x, y) -> {
            F32Ptr to = c.plus((long) row * problem.n() + column);
            float first = alpha * x;
            float second = alpha * y;
            if (beta != 0) {
                Float2 old = to.get2(0);
                first += beta * old.x();
                second += beta * old.y();
            }
            to.set2(0, new Float2(first, second));
        });
    }

    @Kernel(maxThreads = GemmTile.THREADS, minBlocks = 1)
    static void bf16(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            @Constant int grouped,
            GemmTile.Problem problem,
            float alpha,
            float beta,
            BF16Ptr c) {
        GemmTile.multiply(type, transposeA, transposeB, cluster, grouped, problem, (_, row, column, x, y) -> {
            BF16Ptr to = c.plus((long) row * problem.n() + column);
            float first = alpha * x;
            float second = alpha * y;
            if (beta != 0) {
                first += beta * to.get(0);
                second += beta * to.get(1);
            }
            to.set2(0, BFloat162.of(first, second));
        });
    }

    @Kernel(maxThreads = GemmTile.THREADS, minBlocks = 1)
    static void f16(
            @Constant DataType type,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            @Constant int grouped,
            GemmTile.Problem problem,
            float alpha,
            float beta,
            F16Ptr c) {
        GemmTile.multiply(type, transposeA, transposeB, cluster, grouped, problem, (_, row, column, x, y) -> {
            F16Ptr to = c.plus((long) row * problem.n() + column);
            float first = alpha * x;
            float second = alpha * y;
            if (beta != 0) {
                first += beta * to.get(0);
                second += beta * to.get(1);
            }
            to.set2(0, Half2.of(first, second));
        });
    }
}
