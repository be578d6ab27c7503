// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.device.ShmemPe;

/** {@link ExpertLayout#BY_RANK} beside plain Java: a token is once on each PE that has any of its experts. */
final class RankLayer {
    private static final int HIDDEN = 12;

    private RankLayer() {}

    private static Buffer memory(ShmemPe pe, HostArray from) {
        if (!pe.onGpu()) {
            return from;
        }
        Buffer to = pe.nvshmem().device().allocate(from.type(), from.count());
        to.copyFrom(from);
        return to;
    }

    /** What makes an exchange. */
    interface Maker {
        ExpertParallel make(MoeShape shape, MoeOptions options);
    }

    static void run(ShmemPe pe, long seed) {
        run(pe, seed, pe.nPes() % 2 == 0, (shape, options) -> ExpertParallel.of(pe, shape, options));
    }

    static void run(ShmemPe pe, long seed, boolean groups, Maker maker) {
        run(pe, seed, groups, pe.nPes(), maker);
    }

    /** The same with hosts of so many PEs, each of which adds the answers of its own before they cross the network. */
    static void run(ShmemPe pe, long seed, boolean groups, int host, Maker maker) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int layer = 0; layer < 2; layer++) {
            int members = groups && random.nextBoolean() ? 2 : 1;
            MoeShape shape = MoeShape.experts(random.nextInt(1, 30))
                    .perToken(random.nextInt(1, 12))
                    .hidden(HIDDEN)
                    .tokens(random.nextInt(1, 12))
                    .input(DataType.FLOAT32);
            MoeOptions options = MoeOptions.DEFAULT.layout(ExpertLayout.BY_RANK).group(members);
            try (ExpertParallel ep = maker.make(shape, options)) {
                ep.blocks(random.nextInt(1, 4));
                for (int round = 0; round < 2; round++) {
                    round(pe, ep, shape, members, host, random.nextLong());
                }
            }
        }
    }

    private static float element(long salt, int group, int token, int i) {
        return MoeOracle.value(salt, group, token, i);
    }

    private static float answer(long salt, int pe, int group, int token, int i) {
        return MoeOracle.value(salt, pe, group, token, i, 3);
    }

    private static void round(
            ShmemPe pe, ExpertParallel ep, MoeShape shape, int members, int host, long salt) {
        SplittableRandom random = new SplittableRandom(salt);
        int groups = pe.nPes() / members;
        int choices = shape.perToken();
        int[][] placed = MoeOracle.even(shape.experts(), pe.nPes());
        int[][][] chosen = new int[groups][][];
        for (int g = 0; g < groups; g++) {
            chosen[g] = new int[random.nextInt(shape.tokens() + 1)][choices];
            for (int[] token : chosen[g]) {
                Arrays.setAll(token, k -> random.nextInt(5) == 0 ? -1 : random.nextInt(shape.experts()));
            }
        }
        int group = pe.myPe() / members;
        int tokens = chosen[group].length;
        HostArray x = HostArray.allocate(DataType.FLOAT32, (long) tokens * HIDDEN);
        HostArray routes = HostArray.allocate(DataType.INT64, (long) tokens * choices);
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) tokens * choices);
        for (int t = 0; t < tokens; t++) {
            for (int i = 0; i < HIDDEN; i++) {
                x.setFloat((long) t * HIDDEN + i, element(salt, group, t, i));
            }
            for (int k = 0; k < choices; k++) {
                routes.setLong((long) t * choices + k, chosen[group][t][k]);
                weights.setFloat((long) t * choices + k, element(salt, group, t, -1 - k));
            }
        }
        Routed routed =
                ep.dispatch(Tokens.of(memory(pe, x), memory(pe, routes), tokens).weights(memory(pe, weights)));
        // What should be here.
        int mine = pe.myPe();
        int firstExpert =
                (int) Arrays.stream(placed).takeWhile(on -> on[0] < mine).count();
        int[] counts = routed.counts().toIntArray();
        float[] rows = routed.x().toFloatArray();
        int[] rowChoices = routed.rowChoices().toIntArray();
        float[] rowWeights = routed.rowWeights().toFloatArray();
        HostArray answers = routed.results().toHost();
        for (int g = 0; g < groups; g++) {
            List<Integer> here = new ArrayList<>();
            for (int t = 0; t < chosen[g].length; t++) {
                if (Arrays.stream(chosen[g][t]).anyMatch(e -> e >= 0 && placed[e][0] == mine)) {
                    here.add(t);
                }
            }
            assertThat(counts[g]).isEqualTo(here.size());
            for (int j = 0; j < here.size(); j++) {
                int row = g * shape.tokens() + j;
                int t = here.get(j);
                for (int i = 0; i < HIDDEN; i++) {
                    assertThat(rows[row * HIDDEN + i]).isEqualTo(element(salt, g, t, i));
                    answers.setFloat((long) row * HIDDEN + i, answer(salt, mine, g, t, i));
                }
                for (int k = 0; k < choices; k++) {
                    int e = chosen[g][t][k];
                    boolean local = e >= 0 && placed[e][0] == mine;
                    assertThat(rowChoices[row * choices + k]).isEqualTo(local ? e - firstExpert : -1);
                    assertThat(rowWeights[row * choices + k]).isEqualTo(local ? element(salt, g, t, -1 - k) : 0);
                }
            }
        }
        routed.results().copyFrom(answers);
        Buffer y = memory(pe, HostArray.allocate(DataType.FLOAT32, (long) (tokens + 1) * HIDDEN));
        y.fill(5);
        ep.combine(Sums.into(y), routed);
        float[] found = y.toFloatArray();
        for (int t = 0; t <= tokens; t++) {
            for (int i = 0; i < HIDDEN; i++) {
                float sum = t < tokens ? 0 : 5;
                float other = 0;
                for (int from = 0; from < pe.nPes() && t < tokens; from++) {
                    int each = from;
                    float value = Arrays.stream(chosen[group][t]).anyMatch(e -> e >= 0 && placed[e][0] == each)
                            ? answer(salt, from, group, t, i)
                            : 0;
                    boolean here = from / host == mine / host;
                    sum += here ? value : 0;
                    other = here ? 0 : other + value;
                    if (!here && from % host == host - 1) {
                        sum += other;
                        other = 0;
                    }
                }
                assertThat(found[t * HIDDEN + i]).isEqualTo(sum);
            }
        }
    }
}
