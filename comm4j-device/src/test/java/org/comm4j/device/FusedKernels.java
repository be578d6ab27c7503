// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels with {@link FusedCollectives}. */
final class FusedKernels {
    private FusedKernels() {}

    @Kernel
    static void sum(@Constant int me, @Constant int pes, PeerGroup group, F32Ptr x, F32Ptr y, long n) {
        FusedCollectives.allReduce(me, pes, group, n, i -> x.get(i) + 1, (i, sum) -> y.set(i, 0.5f * sum));
    }

    /** Of element i that of PE i modulo their number: what the others have is never written. */
    @Kernel
    static void choose(@Constant int me, @Constant int pes, PeerGroup group, F32Ptr x, F32Ptr y, long n) {
        FusedCollectives.allGather(me, pes, group, n, i -> x.get(i), (pe, i, value) -> {
            if (pe == (int) (i % pes)) {
                y.set(i, pe + value);
            }
        });
    }

    /** Bias and root mean square norm of rows of sums. */
    @Kernel(math = Kernel.Math.EXACT)
    static void biasAndNorm(
            @Constant int me, @Constant int pes, PeerGroup group, F32Ptr x, F32Ptr y, long rows, int columns) {
        FusedCollectives.allReduceRows(me, pes, group, rows, columns, i -> x.get(i), (row, sums) -> {
            float squares = 0;
            for (int i = 0; i < columns; i++) {
                float biased = sums.get(i) + 0.25f * i;
                squares += biased * biased;
            }
            float norm = 1 / (float) Math.sqrt(squares / columns + 1e-6f);
            for (int i = ThreadIdx.x(); i < columns; i += BlockDim.x()) {
                y.set(row * columns + i, (sums.get(i) + 0.25f * i) * norm);
            }
        });
    }
}
