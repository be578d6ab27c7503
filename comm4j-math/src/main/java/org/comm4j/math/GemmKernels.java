// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Float2;
import org.comm4j.kernel.lang.Half2;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;

/** The kernel of {@link Gemm}: C = α op(A) op(B) + β C. */
final class GemmKernels {
    private GemmKernels() {}

    /**
     * Multiplies matrices.
     *
     * @param type of A and B
     * @param result type of C: FLOAT32, BFLOAT16 or FLOAT16
     */
    @Kernel(maxThreads = GemmTile.THREADS, minBlocks = 1)
    static void multiply(
            @Constant DataType type,
            @Constant DataType result,
            @Constant int transposeA,
            @Constant int transposeB,
            @Constant int cluster,
            @Constant int grouped,
            GemmTile.Problem problem,
            float alpha,
            float beta,
            Ptr c) {
        GemmTile.multiply(type, transposeA, transposeB, cluster, grouped, problem, (_, row, column, x, y) -> {
            long at = (long) row * problem.n() + column;
            float first = alpha * x;
            float second = alpha * y;
            if (beta != 0) {
                first += beta * get(result, c, at);
                second += beta * get(result, c, at + 1);
            }
            set(result, c, at, first, second);
        });
    }

    private static float get(@Constant DataType type, Ptr c, long at) {
        return type == DataType.FLOAT32
                ? c.asF32().get(at)
                : type == DataType.BFLOAT16 ? c.asBF16().get(at) : c.asF16().get(at);
    }

    /** Sets two neighbours, the first of which is at an even place. */
    private static void set(@Constant DataType type, Ptr c, long at, float first, float second) {
        if (type == DataType.FLOAT32) {
            c.asF32().set2(at, new Float2(first, second));
        } else if (type == DataType.BFLOAT16) {
            c.asBF16().set2(at, BFloat162.of(first, second));
        } else {
            c.asF16().set2(at, Half2.of(first, second));
        }
    }
}
