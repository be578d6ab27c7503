// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.Arrays;
import java.util.List;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** Kernels in which the threads of a block work together: scans, sums, counts, sorts. */
final class Collectives {
    private static final int THREADS = 256;
    private static final int WARPS = THREADS / Warp.SIZE;
    private static final int SCANNED = 2 * THREADS;
    private static final int BINS = 256;
    private static final int TILE = 32;
    private static final int ROWS = 8;
    private static final int SORTED = 1024;
    private static final int DIGITS = 16;

    private Collectives() {}

    /** The sums of all elements before each of a block, after Blelloch: up and down a tree in shared memory. */
    @Kernel
    static void scan(F32Ptr in, F32Ptr out, F32Ptr sums) {
        float[] tree = Shared.f32(SCANNED);
        int t = ThreadIdx.x();
        int first = BlockIdx.x() * SCANNED;
        tree[2 * t] = in.get(first + 2 * t);
        tree[2 * t + 1] = in.get(first + 2 * t + 1);
        int offset = 1;
        for (int d = SCANNED >> 1; d > 0; d >>= 1) {
            Block.sync();
            if (t < d) {
                int left = offset * (2 * t + 1) - 1;
                int right = offset * (2 * t + 2) - 1;
                tree[right] += tree[left];
            }
            offset *= 2;
        }
        if (t == 0) {
            sums.set(BlockIdx.x(), tree[SCANNED - 1]);
            tree[SCANNED - 1] = 0;
        }
        for (int d = 1; d < SCANNED; d *= 2) {
            offset >>= 1;
            Block.sync();
            if (t < d) {
                int left = offset * (2 * t + 1) - 1;
                int right = offset * (2 * t + 2) - 1;
                float saved = tree[left];
                tree[left] = tree[right];
                tree[right] += saved;
            }
        }
        Block.sync();
        out.set(first + 2 * t, tree[2 * t]);
        out.set(first + 2 * t + 1, tree[2 * t + 1]);
    }

    private static SuiteProblem scanProblem(int blocks) {
        int n = blocks * SCANNED;
        HostArray in = SuiteData.floats(1, n, 0, 1);
        HostArray out = SuiteData.floats(n);
        HostArray sums = SuiteData.floats(blocks);
        return new SuiteProblem(
                List.of(in, out, sums),
                List.of(new Step("scan", LaunchConfig.grid(blocks).block(THREADS), in, out, sums)),
                () -> {
                    float[] expected = new float[n];
                    double sum = 0;
                    for (int i = 0; i < n; i++) {
                        sum = i % SCANNED == 0 ? 0 : sum;
                        expected[i] = (float) sum;
                        sum += in.getFloat(i);
                    }
                    return Math.max(SuiteData.error(out, expected), SuiteData.error(blocks, sums::getFloat, i -> {
                        int last = (i + 1) * SCANNED - 1;
                        return expected[last] + in.getFloat(last);
                    }));
                });
    }

    private static double warpSum(double value) {
        double sum = value;
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            sum += Warp.shuffleDown(sum, by);
        }
        return sum;
    }

    /** Sums of blocks by shuffles, in double. */
    @Kernel
    static void reduction(int n, F64Ptr values, F64Ptr sums) {
        double[] ofWarps = Shared.f64(WARPS);
        int t = ThreadIdx.x();
        double sum = 0;
        for (int i = GlobalIdx.x(); i < n; i += BlockDim.x() * GridDim.x()) {
            sum += values.get(i);
        }
        sum = warpSum(sum);
        if (t % Warp.SIZE == 0) {
            ofWarps[t / Warp.SIZE] = sum;
        }
        Block.sync();
        if (t < Warp.SIZE) {
            sum = warpSum(t < WARPS ? ofWarps[t] : 0);
            if (t == 0) {
                sums.set(BlockIdx.x(), sum);
            }
        }
    }

    private static SuiteProblem reductionProblem(int n) {
        int blocks = Math.min((n - 1) / THREADS + 1, 1056);
        HostArray values = SuiteData.doubles(1, n);
        HostArray sums = HostArray.allocate(DataType.FLOAT64, blocks);
        return new SuiteProblem(
                List.of(values, sums),
                List.of(new Step("reduction", LaunchConfig.grid(blocks).block(THREADS), n, values, sums)),
                () -> {
                    double sum = 0;
                    for (int i = 0; i < n; i++) {
                        sum += values.getDouble(i);
                    }
                    double expected = sum;
                    return SuiteData.error(
                            1, _ -> Arrays.stream(sums.toDoubleArray()).sum(), _ -> expected);
                });
    }

    /** Counts of bytes in shared memory, then in global memory. */
    @Kernel
    static void histogram(int n, I32Ptr words, I32Ptr counts) {
        I32Ptr own = I32Ptr.of(Shared.i32(BINS));
        own.set(ThreadIdx.x(), 0);
        Block.sync();
        for (int i = GlobalIdx.x(); i < n; i += BlockDim.x() * GridDim.x()) {
            int word = words.get(i);
            own.atomicAdd(word & 0xff, 1);
            own.atomicAdd((word >>> 8) & 0xff, 1);
            own.atomicAdd((word >>> 16) & 0xff, 1);
            own.atomicAdd(word >>> 24, 1);
        }
        Block.sync();
        counts.atomicAdd(ThreadIdx.x(), own.get(ThreadIdx.x()));
    }

    private static SuiteProblem histogramProblem(int n) {
        int blocks = Math.min((n - 1) / THREADS + 1, 1056);
        HostArray words = SuiteData.ints(1, n, Integer.MAX_VALUE);
        HostArray counts = SuiteData.ints(BINS);
        return new SuiteProblem(
                List.of(words, counts),
                List.of(new Step("histogram", LaunchConfig.grid(blocks).block(BINS), n, words, counts)),
                () -> {
                    int[] expected = new int[BINS];
                    for (int word : words.toIntArray()) {
                        for (int shift = 0; shift < 32; shift += 8) {
                            expected[(word >>> shift) & 0xff]++;
                        }
                    }
                    return SuiteData.error(counts, expected);
                });
    }

    /** Rows become columns, by tiles in shared memory. */
    @Kernel
    static void transpose(int width, int height, F32Ptr in, F32Ptr out) {
        float[] tile = Shared.f32(TILE * (TILE + 1));
        int x = BlockIdx.x() * TILE + ThreadIdx.x();
        int y = BlockIdx.y() * TILE + ThreadIdx.y();
        for (int i = 0; i < TILE; i += ROWS) {
            if (x < width && y + i < height) {
                tile[(ThreadIdx.y() + i) * (TILE + 1) + ThreadIdx.x()] = in.get((y + i) * width + x);
            }
        }
        Block.sync();
        x = BlockIdx.y() * TILE + ThreadIdx.x();
        y = BlockIdx.x() * TILE + ThreadIdx.y();
        for (int i = 0; i < TILE; i += ROWS) {
            if (x < height && y + i < width) {
                out.set((y + i) * height + x, tile[ThreadIdx.x() * (TILE + 1) + ThreadIdx.y() + i]);
            }
        }
    }

    private static SuiteProblem transposeProblem(int side) {
        int width = side;
        int height = side - 5;
        HostArray in = SuiteData.floats(1, width * height, 0, 1);
        HostArray out = SuiteData.floats(width * height);
        LaunchConfig config = LaunchConfig.grid((width - 1) / TILE + 1, (height - 1) / TILE + 1)
                .block(TILE, ROWS);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("transpose", config, width, height, in, out)),
                () -> SuiteData.error(
                        width * height, out::getFloat, i -> in.getFloat((long) (i % height) * width + i / height)));
    }

    /** Sorts the numbers of each block after Batcher. */
    @Kernel
    static void bitonicSort(I32Ptr in, I32Ptr out) {
        int[] keys = Shared.i32(SORTED);
        int t = ThreadIdx.x();
        int first = BlockIdx.x() * SORTED;
        keys[t] = in.get(first + t);
        keys[t + SORTED / 2] = in.get(first + t + SORTED / 2);
        for (int size = 2; size <= SORTED; size *= 2) {
            for (int stride = size / 2; stride > 0; stride /= 2) {
                Block.sync();
                int low = 2 * t - (t & stride - 1);
                int high = low + stride;
                boolean up = (low & size) == 0;
                int a = keys[low];
                int b = keys[high];
                if (a > b == up) {
                    keys[low] = b;
                    keys[high] = a;
                }
            }
        }
        Block.sync();
        out.set(first + t, keys[t]);
        out.set(first + t + SORTED / 2, keys[t + SORTED / 2]);
    }

    private static SuiteProblem bitonicProblem(int blocks) {
        HostArray in = SuiteData.ints(1, blocks * SORTED, 1_000_000);
        HostArray out = SuiteData.ints(blocks * SORTED);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("bitonicSort", LaunchConfig.grid(blocks).block(SORTED / 2), in, out)),
                () -> {
                    int[] expected = in.toIntArray();
                    for (int block = 0; block < blocks; block++) {
                        Arrays.sort(expected, block * SORTED, (block + 1) * SORTED);
                    }
                    return SuiteData.error(out, expected);
                });
    }

    /** A pass of a radix sort: counts of each digit in a block, and each key's place among those of its digit. */
    @Kernel
    static void radixCount(int n, int shift, I32Ptr keys, I32Ptr counts, I32Ptr ranks) {
        int[] ofWarps = Shared.i32(WARPS * DIGITS);
        int t = ThreadIdx.x();
        int i = GlobalIdx.x();
        int warp = t / Warp.SIZE;
        int lane = t % Warp.SIZE;
        int digit = (keys.get(i) >>> shift) & DIGITS - 1;
        int same = -1;
        for (int bit = 0; bit < 4; bit++) {
            boolean set = (digit >> bit & 1) != 0;
            int votes = Warp.ballot(set);
            same &= set ? votes : ~votes;
        }
        if (t < WARPS * DIGITS) {
            ofWarps[t] = 0;
        }
        Block.sync();
        int before = Integer.bitCount(same & (1 << lane) - 1);
        if (before == 0) {
            ofWarps[warp * DIGITS + digit] = Integer.bitCount(same);
        }
        Block.sync();
        int rank = before;
        for (int w = 0; w < warp; w++) {
            rank += ofWarps[w * DIGITS + digit];
        }
        ranks.set(i, rank);
        if (t < DIGITS) {
            int count = 0;
            for (int w = 0; w < WARPS; w++) {
                count += ofWarps[w * DIGITS + t];
            }
            counts.set(BlockIdx.x() * DIGITS + t, count);
        }
    }

    private static SuiteProblem radixProblem(int blocks) {
        int n = blocks * THREADS;
        HostArray keys = SuiteData.ints(1, n, Integer.MAX_VALUE);
        HostArray counts = SuiteData.ints(blocks * DIGITS);
        HostArray ranks = SuiteData.ints(n);
        return new SuiteProblem(
                List.of(keys, counts, ranks),
                List.of(new Step("radixCount", LaunchConfig.grid(blocks).block(THREADS), n, 8, keys, counts, ranks)),
                () -> {
                    int[] digits = new int[blocks * DIGITS];
                    int[] expected = new int[n];
                    for (int i = 0; i < n; i++) {
                        expected[i] = digits[i / THREADS * DIGITS + (keys.getInt(i) >>> 8 & DIGITS - 1)]++;
                    }
                    return Math.max(SuiteData.error(ranks, expected), SuiteData.error(counts, digits));
                });
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("scan", Collectives.class, 3, 32768, 1e-5, Collectives::scanProblem),
                new SuiteCase("reduction", Collectives.class, 3000, 1 << 25, 1e-12, Collectives::reductionProblem),
                new SuiteCase("histogram", Collectives.class, 3000, 1 << 24, 0, Collectives::histogramProblem),
                new SuiteCase("transpose", Collectives.class, 75, 5003, 0, Collectives::transposeProblem),
                new SuiteCase("bitonic-sort", Collectives.class, 1, 8192, 0, Collectives::bitonicProblem),
                new SuiteCase("radix-count", Collectives.class, 3, 1 << 16, 0, Collectives::radixProblem));
    }
}
