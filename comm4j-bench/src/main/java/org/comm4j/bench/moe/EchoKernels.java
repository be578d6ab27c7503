// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.moe.FusedExperts;
import org.comm4j.moe.RoutedRows;

/** Experts that answer a row with the row itself. */
final class EchoKernels {
    private EchoKernels() {}

    /**
     * Answers the rows of this PE's experts; of tokens that come once to a PE, with the sum over its experts.
     *
     * @param eight whether rows are FLOAT8_E4M3 with scales, else BFLOAT16
     * @param byRank whether a token comes once to a PE
     */
    @Kernel
    static void echo(@Constant boolean eight, @Constant boolean byRank, RoutedRows rows, int hidden) {
        for (int e = 0; e < rows.experts(); e++) {
            int end = rows.end(e);
            for (int row = rows.begin(e) + BlockIdx.x(); row < end; row += GridDim.x()) {
                I8Ptr from = FusedExperts.row(rows, row);
                BF16Ptr to = FusedExperts.result(rows, row).asBF16();
                float factor = byRank ? factor(rows, row) : 1;
                for (int i = ThreadIdx.x(); i < hidden; i += BlockDim.x()) {
                    float value = eight
                            ? from.asF8E4M3().get(i) * rows.scale(row, i / MoeSettings.SCALED)
                            : from.asBF16().get(i);
                    to.set(i, factor * value);
                }
            }
        }
    }

    private static float factor(RoutedRows rows, int row) {
        float sum = 0;
        for (int k = 0; k < rows.choices(); k++) {
            if (rows.expert(row, k) >= 0) {
                sum += rows.weight(row, k);
            }
        }
        return sum;
    }
}
