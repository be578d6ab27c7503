// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Arrays;
import org.comm4j.kernel.loops.Stop.What;

/**
 * Exchanges between the lanes of whole warps that lie one behind the other from {@code first}, a multiple of a warp, to
 * {@code end}; with the same distance or lane {@code by}, 0 to 31, for all.
 */
final class Exchange {
    private static final int WARP = 32;

    private Exchange() {}

    static void ints(What what, int[] from, int[] to, int first, int end, int by) {
        switch (what) {
            case SHUFFLE_UP -> {
                System.arraycopy(from, first, to, first + by, end - first - by);
                for (int warp = first; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_DOWN -> {
                System.arraycopy(from, first + by, to, first, end - first - by);
                for (int warp = first + WARP - by; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_XOR -> {
                for (int thread = first; thread < end; thread++) {
                    to[thread] = from[thread ^ by];
                }
            }
            default -> {
                for (int warp = first; warp < end; warp += WARP) {
                    Arrays.fill(to, warp, warp + WARP, from[warp + by]);
                }
            }
        }
    }

    static void longs(What what, long[] from, long[] to, int first, int end, int by) {
        switch (what) {
            case SHUFFLE_UP -> {
                System.arraycopy(from, first, to, first + by, end - first - by);
                for (int warp = first; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_DOWN -> {
                System.arraycopy(from, first + by, to, first, end - first - by);
                for (int warp = first + WARP - by; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_XOR -> {
                for (int thread = first; thread < end; thread++) {
                    to[thread] = from[thread ^ by];
                }
            }
            default -> {
                for (int warp = first; warp < end; warp += WARP) {
                    Arrays.fill(to, warp, warp + WARP, from[warp + by]);
                }
            }
        }
    }

    static void floats(What what, float[] from, float[] to, int first, int end, int by) {
        switch (what) {
            case SHUFFLE_UP -> {
                System.arraycopy(from, first, to, first + by, end - first - by);
                for (int warp = first; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_DOWN -> {
                System.arraycopy(from, first + by, to, first, end - first - by);
                for (int warp = first + WARP - by; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_XOR -> {
                for (int thread = first; thread < end; thread++) {
                    to[thread] = from[thread ^ by];
                }
            }
            default -> {
                for (int warp = first; warp < end; warp += WARP) {
                    Arrays.fill(to, warp, warp + WARP, from[warp + by]);
                }
            }
        }
    }

    static void doubles(What what, double[] from, double[] to, int first, int end, int by) {
        switch (what) {
            case SHUFFLE_UP -> {
                System.arraycopy(from, first, to, first + by, end - first - by);
                for (int warp = first; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_DOWN -> {
                System.arraycopy(from, first + by, to, first, end - first - by);
                for (int warp = first + WARP - by; warp < end; warp += WARP) {
                    System.arraycopy(from, warp, to, warp, by);
                }
            }
            case SHUFFLE_XOR -> {
                for (int thread = first; thread < end; thread++) {
                    to[thread] = from[thread ^ by];
                }
            }
            default -> {
                for (int warp = first; warp < end; warp += WARP) {
                    Arrays.fill(to, warp, warp + WARP, from[warp + by]);
                }
            }
        }
    }
}
