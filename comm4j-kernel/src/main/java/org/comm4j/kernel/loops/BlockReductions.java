// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Arrays;
import org.comm4j.kernel.loops.Stop.What;

/**
 * Reductions over the threads of a block: first over warps, lane by lane, and then over the lanes, as {@code
 * GridReduction} does it on a GPU.
 */
final class BlockReductions {
    private static final int WARP = 32;

    private BlockReductions() {}

    /** Returns how long an array of operands is for so many threads: lanes of the last warp without one have room. */
    static int room(int threads) {
        return (threads + WARP - 1) / WARP * WARP;
    }

    /** Combines the operands of all threads; the first {@code receivers} of them get the result. */
    static void run(Stop stop, LoopState state, int receivers) {
        int threads = state.threads();
        if (stop.kind() == Kind.LONG) {
            Arrays.fill(state.wideResults, 0, receivers, longs(stop.what(), state.wideOperands, threads));
        } else {
            Arrays.fill(state.doubleResults, 0, receivers, doubles(stop.what(), state.doubleOperands, threads));
        }
    }

    private static long longs(What what, long[] values, int threads) {
        long all = values[0];
        for (int i = 1; i < threads; i++) {
            all = switch (what) {
                case BLOCK_MIN -> Math.min(all, values[i]);
                case BLOCK_MAX -> Math.max(all, values[i]);
                default -> all + values[i];
            };
        }
        return all;
    }

    private static double doubles(What what, double[] values, int threads) {
        return switch (what) {
            case BLOCK_MIN -> {
                double all = values[0];
                for (int i = 1; i < threads; i++) {
                    all = Math.min(all, values[i]);
                }
                yield all;
            }
            case BLOCK_MAX -> {
                double all = values[0];
                for (int i = 1; i < threads; i++) {
                    all = Math.max(all, values[i]);
                }
                yield all;
            }
            default -> sum(values, threads);
        };
    }

    /** Eight lanes at a time: so many additions do not wait for each other, and are in registers. */
    private static double sum(double[] values, int threads) {
        int all = room(threads);
        // The negative zero changes no number.
        Arrays.fill(values, threads, all, -0.0);
        for (int lane = 0; lane < WARP; lane += 8) {
            double a = values[lane];
            double b = values[lane + 1];
            double c = values[lane + 2];
            double d = values[lane + 3];
            double e = values[lane + 4];
            double f = values[lane + 5];
            double g = values[lane + 6];
            double h = values[lane + 7];
            for (int i = lane + WARP; i < all; i += WARP) {
                a += values[i];
                b += values[i + 1];
                c += values[i + 2];
                d += values[i + 3];
                e += values[i + 4];
                f += values[i + 5];
                g += values[i + 6];
                h += values[i + 7];
            }
            values[lane] = a;
            values[lane + 1] = b;
            values[lane + 2] = c;
            values[lane + 3] = d;
            values[lane + 4] = e;
            values[lane + 5] = f;
            values[lane + 6] = g;
            values[lane + 7] = h;
        }
        for (int by = WARP / 2; by > 0; by /= 2) {
            for (int lane = 0; lane < by; lane++) {
                values[lane] += values[lane + by];
            }
        }
        return values[0];
    }
}
