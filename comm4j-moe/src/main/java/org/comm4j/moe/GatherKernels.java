// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels of {@link GatheredExperts}, before all-gather and behind it, and behind reduce-scatter. */
final class GatherKernels {
    private GatherKernels() {}

    private static int first() {
        return BlockIdx.x() * BlockDim.x() + ThreadIdx.x();
    }

    private static int step() {
        return GridDim.x() * BlockDim.x();
    }

    /**
     * Writes this rank's routes for the others, where those of tokens that there are not are dropped.
     *
     * @param tokens the most that a rank has
     * @param to {@code [tokens, choices]}
     * @param count is set to the number of tokens
     * @param wrong the first wrong route, {@link MoeSpace#NO_ROUTE} without
     */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void routes(
            I8Ptr chosen,
            int routeBytes,
            int most,
            I32Ptr bound,
            boolean bounded,
            int tokens,
            int choices,
            int experts,
            I32Ptr to,
            I32Ptr count,
            I64Ptr wrong,
            I64Ptr report) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int some = bounded ? Math.max(Math.min(bound.get(0), most), 0) : most;
        for (int route = first(); route < tokens * choices; route += step()) {
            long expert = route < some * choices ? Counting.expert(chosen, routeBytes, route) : -1;
            boolean valid = expert >= 0 && expert < experts;
            if (!valid && expert != -1) {
                int told = Math.clamp(expert, Integer.MIN_VALUE, Integer.MAX_VALUE);
                long _ = wrong.atomicMin(0, (long) route << 32 | told & 0xffff_ffffL);
            }
            to.set(route, valid ? (int) expert : -1);
        }
        if (first() == 0) {
            count.set(0, some);
            if (bounded && bound.get(0) != some) {
                report.setVolatile(MoeSpace.REPORT_TOKENS, 1L << 32 | bound.get(0) & 0xffff_ffffL);
            }
        }
    }

    /** Writes this rank's scales for the others, those of a token one after the other. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void scales(I8Ptr from, long row, long stride, int bytes, int tokens, int scales, I8Ptr to) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        for (int i = first(); i < tokens * scales; i += step()) {
            int token = i / scales;
            long at = token * row + (i - token * scales) * stride;
            if (bytes == 1) {
                to.set(i, from.get(at));
            } else {
                to.asI32().set(i, from.asI32().get(at));
            }
        }
    }

    /**
     * Replaces experts by their number on this rank, and drops those of others.
     *
     * @param all routes of all ranks
     * @param here by expert: its number here, or -1
     */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void local(I32Ptr all, int routes, I32Ptr here, I64Ptr wrong, I64Ptr report) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        for (int route = first(); route < routes; route += step()) {
            int expert = all.get(route);
            all.set(route, expert < 0 ? -1 : here.get(expert));
        }
        if (first() == 0 && wrong.get(0) != MoeSpace.NO_ROUTE) {
            report.setVolatile(MoeSpace.REPORT_ROUTE, wrong.get(0) + 1);
            wrong.set(0, MoeSpace.NO_ROUTE);
        }
    }

    /** Adds to sums of all ranks what else belongs to them; for as many tokens as there were. */
    @Kernel(maxThreads = SendKernels.THREADS)
    static void sums(
            @Constant SumType type,
            I8Ptr sums,
            I32Ptr count,
            int hidden,
            I8Ptr out,
            I8Ptr bias,
            float factor,
            int extras) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        long all = (long) count.get(0) * hidden;
        for (long i = first(); i < all; i += step()) {
            float value = factor * SumType.get(type, sums, i);
            if ((extras & PullKernels.BIAS) != 0) {
                value += SumType.get(type, bias, i);
            }
            if ((extras & PullKernels.ACCUMULATE) != 0) {
                value += SumType.get(type, out, i);
            }
            SumType.set(type, out, i, value);
        }
    }
}
