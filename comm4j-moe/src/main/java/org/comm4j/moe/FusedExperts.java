// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.Block;
import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.KernelLibrary;
import org.comm4j.kernel.ThreadIdx;

/**
 * Functions of dispatch and combine for kernels of the program, with the {@link RoutedRows} of a {@link Routed}:
 *
 * <pre>{@code
 * @Kernel
 * static void experts(RoutedRows rows, F32Ptr w) {
 *     for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
 *         if (FusedExperts.await(rows, e)) {
 *             for (int row = rows.begin(e); row < rows.end(e); row++) {
 *                 multiply(FusedExperts.row(rows, row), w, FusedExperts.result(rows, row));
 *             }
 *         }
 *     }
 * }
 * }</pre>
 */
@KernelLibrary
public final class FusedExperts {
    private FusedExperts() {}

    /**
     * Waits for the rows of a local expert: after a {@code dispatchSend} alone, for those of other PEs; after a whole
     * dispatch it returns at once. To be called by all threads of a block, which see the rows then.
     *
     * @return whether they came, for all threads of the block alike; if not, the next call on the host throws
     */
    public static boolean await(RoutedRows rows, int expert) {
        MoeSpace space = rows.space();
        int epoch = space.epoch().get(0);
        boolean complete = true;
        for (int pe = ThreadIdx.x(); pe < space.pes() && complete; pe += BlockDim.x()) {
            I32Ptr flag = space.base().plus(space.flags() + 4L * pe).asI32();
            complete = Waiting.flag(space, flag, epoch, Waiting.ROWS, pe);
        }
        return Block.syncAnd(complete);
    }

    /** Returns where a row is. */
    public static I8Ptr row(RoutedRows rows, int row) {
        MoeSpace space = rows.space();
        return space.base().plus(space.rows() + (long) row * space.rowBytes());
    }

    /** Returns where the answer to a row belongs; combine reads it there. */
    public static I8Ptr result(RoutedRows rows, int row) {
        return rows.space().base().plus(rows.space().results() + (long) row * rows.resultBytes());
    }
}
