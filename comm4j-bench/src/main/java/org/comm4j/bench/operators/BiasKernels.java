// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat162;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Float2;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.math.GemmTile;

/** A product with an epilogue of its own, as of a layer of a network: a bias for each column, and max(x, 0). */
final class BiasKernels {
    private BiasKernels() {}

    /** C = max(A B^T + bias, 0) of bf16. */
    @Kernel(maxThreads = GemmTile.THREADS, minBlocks = 1)
    static void biasRelu(GemmTile.Problem problem, F32Ptr bias, BF16Ptr c) {
        GemmTile.multiply(DataType.BFLOAT16, 0, 1, 1, 0, problem, (_, row, column, x, y) -> {
            Float2 add = bias.get2(column);
            BFloat162 pair = BFloat162.of(Math.max(x + add.x(), 0), Math.max(y + add.y(), 0));
            c.plus((long) row * problem.n() + column).set2(0, pair);
        });
    }
}
