// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.moe.FusedExperts;
import org.comm4j.moe.RoutedRows;
import org.comm4j.moe.SumType;

/** The kernels of a layer whose experts multiply rows of BFLOAT16 by a matrix each, as {@code examples/moe-layer}. */
final class LayerKernels {
    private LayerKernels() {}

    /** Sends tokens, and waits for nothing but counts. */
    @Kernel
    static void send(RoutedRows rows, BF16Ptr x, I32Ptr chosen, int tokens, int hidden) {
        FusedExperts.dispatch(rows, SumType.BF16, chosen, tokens, (token, i) -> x.get((long) token * hidden + i));
    }

    /**
     * Multiplies the rows of this PE's experts. A block takes experts in turn.
     *
     * @param fused whether it waits for the rows of each expert, and says of each answer that it is there
     * @param matrices {@code [experts, hidden, hidden]}
     */
    @Kernel
    static void experts(@Constant boolean fused, RoutedRows rows, BF16Ptr matrices, int hidden) {
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            if (!fused || FusedExperts.await(rows, e)) {
                BF16Ptr matrix = matrices.plus((long) e * hidden * hidden);
                for (int row = rows.begin(e); row < rows.end(e); row++) {
                    BF16Ptr x = FusedExperts.row(rows, row).asBF16();
                    BF16Ptr y = FusedExperts.result(rows, row).asBF16();
                    for (int j = ThreadIdx.x(); j < hidden; j += BlockDim.x()) {
                        float sum = 0;
                        for (int i = 0; i < hidden; i++) {
                            sum += x.get(i) * matrix.get((long) i * hidden + j);
                        }
                        y.set(j, sum);
                    }
                    if (fused) {
                        FusedExperts.done(rows, row);
                    }
                }
            }
        }
    }

    /** Sums the answers where the tokens are. */
    @Kernel
    static void sum(RoutedRows rows, F32Ptr weights, BF16Ptr y, int hidden) {
        FusedExperts.combine(rows, SumType.BF16, weights, (token, i, sum) -> y.set((long) token * hidden + i, sum));
    }
}
