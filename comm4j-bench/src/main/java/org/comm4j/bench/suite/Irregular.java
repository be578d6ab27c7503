// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels of graphs, sequences, networks and digests. */
final class Irregular {
    private static final int THREADS = 256;
    /** Letters of each sequence. */
    private static final int LETTERS = 64;

    private static final int NODES = 16;

    private Irregular() {}

    /** A step of a breadth-first search: the nodes of a level find those of the next. */
    @Kernel
    static void bfs(int n, int level, I32Ptr starts, I32Ptr edges, I32Ptr levels) {
        int i = GlobalIdx.x();
        if (i < n && levels.get(i) == level) {
            for (int e = starts.get(i); e < starts.get(i + 1); e++) {
                int to = edges.get(e);
                if (levels.get(to) < 0) {
                    levels.set(to, level + 1);
                }
            }
        }
    }

    private static SuiteProblem bfsProblem(int n) {
        int[] first = new int[n + 1];
        int[] start = new int[n];
        for (int i = 0; i < n; i++) {
            first[i + 1] = first[i] + 2 + (int) (SuiteData.bits(9, i) >>> 60);
            start[i] = SuiteData.bits(8, i) >>> 62 == 0 ? 3 : -1;
        }
        HostArray starts = HostArray.of(first);
        HostArray edges = SuiteData.ints(1, first[n], n);
        HostArray levels = HostArray.of(start);
        return new SuiteProblem(
                List.of(starts, edges, levels),
                List.of(new Step("bfs", SuiteData.threads(n, THREADS), n, 3, starts, edges, levels)),
                () -> {
                    int[] expected = start.clone();
                    for (int i = 0; i < n; i++) {
                        for (int e = first[i]; start[i] == 3 && e < first[i + 1]; e++) {
                            int to = edges.getInt(e);
                            expected[to] = start[to] < 0 ? 4 : start[to];
                        }
                    }
                    return SuiteData.error(levels, expected);
                });
    }

    /** Scores of alignments after Needleman and Wunsch, one for each block, a diagonal after another. */
    @Kernel
    static void needlemanWunsch(int penalty, I32Ptr left, I32Ptr right, I32Ptr out) {
        int[] scores = Shared.i32((LETTERS + 1) * (LETTERS + 1));
        int t = ThreadIdx.x();
        int first = BlockIdx.x() * LETTERS;
        int own = left.get(first + t);
        scores[(t + 1) * (LETTERS + 1)] = -penalty * (t + 1);
        scores[t + 1] = -penalty * (t + 1);
        if (t == 0) {
            scores[0] = 0;
        }
        Block.sync();
        for (int diagonal = 0; diagonal < 2 * LETTERS - 1; diagonal++) {
            int j = diagonal - t;
            if (j >= 0 && j < LETTERS) {
                int match = own == right.get(first + j) ? 5 : -3;
                int both = scores[t * (LETTERS + 1) + j] + match;
                int one = Math.max(scores[t * (LETTERS + 1) + j + 1], scores[(t + 1) * (LETTERS + 1) + j]) - penalty;
                scores[(t + 1) * (LETTERS + 1) + j + 1] = Math.max(both, one);
            }
            Block.sync();
        }
        out.set(first + t, scores[(t + 1) * (LETTERS + 1) + LETTERS]);
    }

    private static SuiteProblem needlemanWunschProblem(int pairs) {
        int n = pairs * LETTERS;
        HostArray left = SuiteData.ints(1, n, 4);
        HostArray right = SuiteData.ints(2, n, 4);
        HostArray out = SuiteData.ints(n);
        return new SuiteProblem(
                List.of(left, right, out),
                List.of(new Step("needlemanWunsch", LaunchConfig.grid(pairs).block(LETTERS), 2, left, right, out)),
                () -> {
                    int[] expected = new int[n];
                    for (int pair = 0; pair < n; pair += LETTERS) {
                        int[] row = new int[LETTERS + 1];
                        for (int j = 0; j <= LETTERS; j++) {
                            row[j] = -2 * j;
                        }
                        for (int i = 0; i < LETTERS; i++) {
                            int corner = row[0];
                            row[0] -= 2;
                            for (int j = 0; j < LETTERS; j++) {
                                int match = left.getInt(pair + i) == right.getInt(pair + j) ? 5 : -3;
                                int best = Math.max(corner + match, Math.max(row[j], row[j + 1]) - 2);
                                corner = row[j + 1];
                                row[j + 1] = best;
                            }
                            expected[pair + i] = row[LETTERS];
                        }
                    }
                    return SuiteData.error(out, expected);
                });
    }

    /** A layer of a network: 16 inputs of each block times their weights, and the sums of its columns. */
    @Kernel
    static void backprop(int hidden, F32Ptr input, F32Ptr weights, F32Ptr sums) {
        float[] node = Shared.f32(NODES);
        float[] product = Shared.f32(NODES * NODES);
        int tx = ThreadIdx.x();
        int ty = ThreadIdx.y();
        int index = (hidden + 1) * NODES * BlockIdx.y() + (hidden + 1) * ty + tx + 1 + (hidden + 1);
        if (tx == 0) {
            node[ty] = input.get(NODES * BlockIdx.y() + ty + 1);
        }
        Block.sync();
        product[ty * NODES + tx] = weights.get(index) * node[ty];
        Block.sync();
        for (int power = 2; power <= NODES; power *= 2) {
            if (ty % power == 0) {
                product[ty * NODES + tx] += product[(ty + power / 2) * NODES + tx];
            }
            Block.sync();
        }
        if (ty == 0) {
            float sum = product[tx];
            sums.set(BlockIdx.y() * hidden + tx, 1 / (1 + (float) Math.exp(-sum)));
        }
    }

    private static SuiteProblem backpropProblem(int blocks) {
        int inputs = blocks * NODES;
        HostArray input = SuiteData.floats(1, inputs + 1, 0, 1);
        HostArray weights = SuiteData.floats(2, (inputs + 1) * (NODES + 1), -1, 1);
        HostArray sums = SuiteData.floats(inputs);
        return new SuiteProblem(
                List.of(input, weights, sums),
                List.of(new Step(
                        "backprop", LaunchConfig.grid(1, blocks).block(NODES, NODES), NODES, input, weights, sums)),
                () -> SuiteData.error(inputs, sums::getFloat, at -> {
                    double sum = 0;
                    for (int i = 0; i < NODES; i++) {
                        long from = (long) at / NODES * NODES + i + 1;
                        sum += (double) input.getFloat(from) * weights.getFloat(from * (NODES + 1) + at % NODES + 1);
                    }
                    return 1 / (1 + Math.exp(-sum));
                }));
    }

    /** SHA-1 of the number of each thread, and so on with the first word of the digest. */
    @Kernel
    static void sha1(int n, int times, I32Ptr out) {
        int i = GlobalIdx.x();
        if (i < n) {
            int[] w = new int[16];
            int word = i;
            for (int round = 0; round < times; round++) {
                for (int k = 0; k < 16; k++) {
                    w[k] = 0;
                }
                w[0] = word;
                w[1] = 0x80000000;
                w[15] = 32;
                int a = 0x67452301;
                int b = 0xefcdab89;
                int c = 0x98badcfe;
                int d = 0x10325476;
                int e = 0xc3d2e1f0;
                for (int k = 0; k < 80; k++) {
                    if (k >= 16) {
                        int x = w[k + 13 & 15] ^ w[k + 8 & 15] ^ w[k + 2 & 15] ^ w[k & 15];
                        w[k & 15] = x << 1 | x >>> 31;
                    }
                    int f;
                    if (k < 20) {
                        f = (b & c | ~b & d) + 0x5a827999;
                    } else if (k < 40) {
                        f = (b ^ c ^ d) + 0x6ed9eba1;
                    } else if (k < 60) {
                        f = (b & c | b & d | c & d) + 0x8f1bbcdc;
                    } else {
                        f = (b ^ c ^ d) + 0xca62c1d6;
                    }
                    int next = (a << 5 | a >>> 27) + f + e + w[k & 15];
                    e = d;
                    d = c;
                    c = b << 30 | b >>> 2;
                    b = a;
                    a = next;
                }
                word = a + 0x67452301;
            }
            out.set(i, word);
        }
    }

    private static SuiteProblem sha1Problem(int n) {
        int times = n > 10_000 ? 8 : 2;
        HostArray out = SuiteData.ints(n);
        return new SuiteProblem(
                List.of(out), List.of(new Step("sha1", SuiteData.threads(n, THREADS), n, times, out)), () -> {
                    try {
                        MessageDigest digest = MessageDigest.getInstance("SHA-1");
                        return SuiteData.error(n, out::getInt, i -> {
                            int word = i;
                            for (int round = 0; round < times; round++) {
                                byte[] message =
                                        ByteBuffer.allocate(4).putInt(word).array();
                                word = ByteBuffer.wrap(digest.digest(message)).getInt();
                            }
                            return word;
                        });
                    } catch (NoSuchAlgorithmException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("bfs", Irregular.class, 500, 1 << 21, 0, Irregular::bfsProblem),
                new SuiteCase("needleman-wunsch", Irregular.class, 2, 8192, 0, Irregular::needlemanWunschProblem),
                new SuiteCase("backprop", Irregular.class, 3, 1 << 15, 1e-5, Irregular::backpropProblem),
                new SuiteCase("sha-1", Irregular.class, 100, 1 << 20, 0, Irregular::sha1Problem));
    }
}
