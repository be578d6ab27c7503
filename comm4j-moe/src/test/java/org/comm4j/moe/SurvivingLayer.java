// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.device.ShmemPe;

/**
 * Dispatches and combines of the PEs that are left, beside plain Java that knows which are: expert e multiplies a token
 * by e + 1.
 *
 * @param placed by expert: the PEs that have it, in ascending order
 * @param dead PEs that take no part
 */
record SurvivingLayer(ShmemPe pe, ExpertParallel ep, MoeShape shape, MoeOptions options, int[][] placed, BitSet dead) {
    /** Tokens of a group in an operation: the experts that they choose. */
    private int[][] chosen(long salt, int group) {
        SplittableRandom random = new SplittableRandom(MoeOracle.hash(salt, group));
        int[][] chosen = new int[random.nextInt(shape.tokens() + 1)][];
        for (int t = 0; t < chosen.length; t++) {
            // None twice, as areas have room for each token once.
            int first = random.nextInt(shape.experts());
            boolean drops = random.nextInt(5) == 0;
            chosen[t] = new int[shape.perToken()];
            for (int k = 0; k < shape.perToken(); k++) {
                chosen[t][k] = drops && k == 0 ? -1 : (first + k) % shape.experts();
            }
        }
        return chosen;
    }

    private static float element(long salt, int group, int token, int i) {
        return MoeOracle.value(salt, group, token, i);
    }

    private static float weight(long salt, int group, int token, int k) {
        return 1.5f + MoeOracle.value(salt, group, token, k, 7);
    }

    /** The PE to which a choice goes; -1 if no PE has the expert any more. */
    private int target(int group, int token, int expert) {
        int[] living = Arrays.stream(placed[expert]).filter(on -> !dead.get(on)).toArray();
        if (living.length == 0) {
            return -1;
        }
        int[] senders = IntStream.range(group * options.group(), (group + 1) * options.group())
                .filter(member -> !dead.get(member))
                .toArray();
        int sender = senders[token % senders.length];
        return Arrays.binarySearch(living, sender) >= 0 ? sender : living[token % living.length];
    }

    /** What weights are multiplied by. */
    private float share(long salt, int group, int token, int[] experts) {
        float all = 0;
        float left = 0;
        for (int k = 0; k < experts.length; k++) {
            float weight = weight(salt, group, token, k);
            all += experts[k] >= 0 ? weight : 0;
            left += experts[k] >= 0 && target(group, token, experts[k]) >= 0 ? weight : 0;
        }
        return !options.renormalize() || left == 0 ? 1 : all / left;
    }

    private boolean isAlive(int group) {
        int members = options.group();
        return dead.get(group * members, (group + 1) * members).cardinality() < members;
    }

    private Buffer memory(HostArray from) {
        if (!pe.onGpu()) {
            return from;
        }
        Buffer to = pe.nvshmem().device().allocate(from.type(), from.count());
        to.copyFrom(from);
        return to;
    }

    /** All PEs that are left do it, with the same number. */
    void operation(long salt) {
        int group = pe.myPe() / options.group();
        int hidden = shape.hidden();
        int[][] mine = chosen(salt, group);
        HostArray x = HostArray.allocate(DataType.FLOAT32, (long) mine.length * hidden);
        HostArray routes = HostArray.allocate(DataType.INT32, (long) mine.length * shape.perToken());
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) mine.length * shape.perToken());
        for (int t = 0; t < mine.length; t++) {
            for (int i = 0; i < hidden; i++) {
                x.setFloat((long) t * hidden + i, element(salt, group, t, i));
            }
            for (int k = 0; k < shape.perToken(); k++) {
                routes.setInt((long) t * shape.perToken() + k, mine[t][k]);
                weights.setFloat((long) t * shape.perToken() + k, weight(salt, group, t, k));
            }
        }
        boolean byRank = options.layout() == ExpertLayout.BY_RANK;
        Tokens tokens = Tokens.of(memory(x), memory(routes), mine.length);
        Routed routed = ep.dispatch(byRank ? tokens.weights(memory(weights)) : tokens);
        answer(salt, routed, byRank);
        Buffer y = memory(HostArray.allocate(DataType.FLOAT32, (long) (mine.length + 1) * hidden));
        y.fill(5);
        Sums sums = Sums.into(y);
        ep.combine(byRank ? sums : sums.weights(memory(weights)), routed);
        float[] found = y.toFloatArray();
        for (int t = 0; t <= mine.length; t++) {
            for (int i = 0; i < hidden; i++) {
                float expected = t == mine.length ? 5 : sum(salt, group, t, mine[t], i, byRank);
                if (found[t * hidden + i] != expected) {
                    throw new AssertionError("operation " + salt + " on PE " + pe.myPe() + ": token " + t + " of "
                            + mine.length + ", element " + i + " is " + found[t * hidden + i] + " instead of "
                            + expected);
                }
            }
        }
    }

    private float sum(long salt, int group, int token, int[] experts, int i, boolean byRank) {
        float share = share(salt, group, token, experts);
        float sum = 0;
        if (byRank) {
            for (int from = 0; from < pe.nPes(); from++) {
                sum += partial(salt, from, group, token, experts, share, i);
            }
            return sum;
        }
        for (int k = 0; k < experts.length; k++) {
            if (experts[k] >= 0 && target(group, token, experts[k]) >= 0) {
                float answer = element(salt, group, token, i) * (experts[k] + 1);
                sum = Math.fma(weight(salt, group, token, k) * share, answer, sum);
            }
        }
        return sum;
    }

    /** What a PE answers to a token that it gets once. */
    private float partial(long salt, int on, int group, int token, int[] experts, float share, int i) {
        float sum = 0;
        for (int k = 0; k < experts.length; k++) {
            if (experts[k] >= 0 && target(group, token, experts[k]) == on) {
                sum += weight(salt, group, token, k) * share * (element(salt, group, token, i) * (experts[k] + 1));
            }
        }
        return sum;
    }

    private void answer(long salt, Routed routed, boolean byRank) {
        int[] local = ep.placement().local(pe.myPe());
        int hidden = shape.hidden();
        int[] counts = routed.counts().toIntArray();
        float[] rows = routed.x().toFloatArray();
        HostArray answers = routed.results().toHost();
        int groups = pe.nPes() / options.group();
        int area = byRank ? shape.tokens() : shape.tokens() * groups;
        for (int each = 0; each < counts.length; each++) {
            int expected = 0;
            for (int group = 0; group < groups; group++) {
                int[][] theirs = isAlive(group) ? chosen(salt, group) : new int[0][];
                for (int t = 0; t < theirs.length && (!byRank || group == each); t++) {
                    boolean comes = false;
                    for (int expert : theirs[t]) {
                        comes |= expert >= 0
                                && (byRank || expert == local[each])
                                && target(group, t, expert) == pe.myPe();
                    }
                    if (comes) {
                        int row = each * area + expected++;
                        float share = share(salt, group, t, theirs[t]);
                        for (int i = 0; i < hidden; i++) {
                            float token = element(salt, group, t, i);
                            assertThat(rows[row * hidden + i]).isEqualTo(token);
                            answers.setFloat(
                                    (long) row * hidden + i,
                                    byRank
                                            ? partial(salt, pe.myPe(), group, t, theirs[t], share, i)
                                            : token * (local[each] + 1));
                        }
                    }
                }
            }
            assertThat(counts[each]).isEqualTo(expected);
        }
        if (byRank) {
            judgeWeights(salt, routed, counts);
        }
        routed.results().copyFrom(answers);
    }

    /** Weights that went along. */
    private void judgeWeights(long salt, Routed routed, int[] counts) {
        float[] found = routed.rowWeights().toFloatArray();
        for (int group = 0; group < counts.length; group++) {
            int[][] theirs = isAlive(group) ? chosen(salt, group) : new int[0][];
            int row = group * shape.tokens();
            for (int t = 0; t < theirs.length; t++) {
                float share = share(salt, group, t, theirs[t]);
                boolean comes = false;
                for (int k = 0; k < theirs[t].length; k++) {
                    boolean here = theirs[t][k] >= 0 && target(group, t, theirs[t][k]) == pe.myPe();
                    comes |= here;
                }
                for (int k = 0; k < theirs[t].length && comes; k++) {
                    boolean here = theirs[t][k] >= 0 && target(group, t, theirs[t][k]) == pe.myPe();
                    assertThat(found[row * shape.perToken() + k])
                            .isEqualTo(here ? weight(salt, group, t, k) * share : 0);
                }
                row += comes ? 1 : 0;
            }
        }
    }
}
