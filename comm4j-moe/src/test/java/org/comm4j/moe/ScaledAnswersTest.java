// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;

/** Answers of FLOAT8_E4M3 that a kernel makes. */
class ScaledAnswersTest {
    private static final int HIDDEN = 16 * 19;
    private static final int TOKENS = 5;
    private static final int CHOICES = 3;
    private static final int EXPERTS = 5;
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    /** Expert e answers a token times e + 1, and tells it at once. */
    @Kernel
    static void answer(RoutedRows rows, int firstExpert) {
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            for (int row = rows.begin(e); row < rows.end(e); row++) {
                F32Ptr x = FusedExperts.row(rows, row).asF32();
                int factor = firstExpert + e + 1;
                FusedExperts.answer(rows, SumType.E4M3, row, i -> x.get(i) * factor);
                FusedExperts.done(rows, row);
            }
        }
    }

    /** Local experts answer together. */
    @Kernel
    static void together(RoutedRows rows, int firstExpert) {
        for (int group = BlockIdx.x(); group < rows.experts(); group += GridDim.x()) {
            for (int row = rows.begin(group); row < rows.end(group); row++) {
                F32Ptr x = FusedExperts.row(rows, row).asF32();
                FusedExperts.localSum(
                        rows, SumType.E4M3, row, (choice, expert, i) -> x.get(i) * (firstExpert + expert + 1));
            }
        }
    }

    /** The sums as the caller takes them. */
    @Kernel
    static void take(RoutedRows rows, F32Ptr weights, F32Ptr y, int hidden) {
        FusedExperts.combine(rows, SumType.E4M3, weights, (token, i, sum) -> y.set((long) token * hidden + i, sum));
    }

    private static float element(int pe, int token, int i) {
        return MoeOracle.value(SEED, pe, token, i) * Math.scalb(1f, (int) (MoeOracle.hash(SEED, token, i / 128) & 7));
    }

    private static int expert(int pe, int token, int k) {
        return (int) Math.floorMod(MoeOracle.hash(SEED, pe, token) + 2 * k, (long) EXPERTS);
    }

    private static float weight(int pe, int token, int k) {
        return MoeOracle.value(SEED, pe, token, k, 3);
    }

    /** What an answer is when it was FLOAT8_E4M3. */
    private static float[] rounded(float[] answer) {
        float[] to = new float[answer.length];
        for (int from = 0; from < answer.length; from += 128) {
            float[] block = Arrays.copyOfRange(answer, from, Math.min(from + 128, answer.length));
            float scale = MoeOracle.scale(block, false);
            for (int i = 0; i < block.length; i++) {
                to[from + i] = SmallFloats.e4m3ToFloat(SmallFloats.floatToE4m3(block[i] * (1 / scale))) * scale;
                float most = 0;
                for (float each : block) {
                    most = Math.max(most, Math.abs(each));
                }
                // The bound that MoeOptions.results gives.
                assertThat(Math.abs(to[from + i] - block[i]))
                        .isLessThanOrEqualTo(Math.abs(block[i]) / 16 * 1.000001f + most / (1 << 18));
            }
        }
        return to;
    }

    private static float[] answered(int pe, int token, int expert) {
        float[] answer = new float[HIDDEN];
        for (int i = 0; i < HIDDEN; i++) {
            answer[i] = element(pe, token, i) * (expert + 1);
        }
        return answer;
    }

    private static void run(ShmemPe pe, ExpertLayout layout) {
        int me = pe.myPe();
        MoeShape shape = MoeShape.experts(EXPERTS)
                .perToken(CHOICES)
                .hidden(HIDDEN)
                .tokens(TOKENS)
                .input(DataType.FLOAT32);
        boolean byRank = layout == ExpertLayout.BY_RANK;
        try (ExpertParallel ep = ExpertParallel.of(
                        pe, shape, MoeOptions.DEFAULT.layout(layout).results(DataType.FLOAT8_E4M3));
                CompiledKernel answer =
                        pe.compiler().compile(byRank ? ScaledAnswersTest::together : ScaledAnswersTest::answer);
                CompiledKernel take = pe.compiler().compile(ScaledAnswersTest::take)) {
            HostArray x = HostArray.allocate(DataType.FLOAT32, TOKENS * HIDDEN);
            HostArray chosen = HostArray.allocate(DataType.INT32, TOKENS * CHOICES);
            HostArray weights = HostArray.allocate(DataType.FLOAT32, TOKENS * CHOICES);
            for (int t = 0; t < TOKENS; t++) {
                for (int i = 0; i < HIDDEN; i++) {
                    x.setFloat((long) t * HIDDEN + i, element(me, t, i));
                }
                for (int k = 0; k < CHOICES; k++) {
                    chosen.setInt((long) t * CHOICES + k, expert(me, t, k));
                    weights.setFloat((long) t * CHOICES + k, weight(me, t, k));
                }
            }
            Tokens tokens = Tokens.of(x, chosen, TOKENS);
            HostArray y = HostArray.allocate(DataType.FLOAT32, TOKENS * HIDDEN);
            for (boolean taken : new boolean[] {false, true}) {
                Routed routed = ep.dispatch(byRank ? tokens.weights(weights) : tokens);
                answer.launch(ep.blocks(), routed.rows(), ep.placement().local(me)[0]);
                if (taken && !byRank) {
                    y.fill(0);
                    take.launch(ep.blocks(), routed.rows(), weights, y, HIDDEN);
                    routed.close();
                } else {
                    ep.combine(byRank ? Sums.into(y) : Sums.into(y).weights(weights), routed);
                }
                ep.check();
                for (int t = 0; t < TOKENS; t++) {
                    assertThat(Arrays.copyOfRange(y.toFloatArray(), t * HIDDEN, (t + 1) * HIDDEN))
                            .as("token " + t + ", seed " + SEED)
                            .containsExactly(byRank ? byRank(pe, ep, t) : sum(me, t));
                }
            }
        }
    }

    private static float[] sum(int pe, int token) {
        float[] sum = new float[HIDDEN];
        for (int k = 0; k < CHOICES; k++) {
            float[] answer = rounded(answered(pe, token, expert(pe, token, k)));
            for (int i = 0; i < HIDDEN; i++) {
                sum[i] = Math.fma(weight(pe, token, k), answer[i], sum[i]);
            }
        }
        return sum;
    }

    private static float[] byRank(ShmemPe pe, ExpertParallel ep, int token) {
        float[] sum = new float[HIDDEN];
        for (int rank = 0; rank < pe.nPes(); rank++) {
            float[] local = new float[HIDDEN];
            for (int k = 0; k < CHOICES; k++) {
                int expert = expert(pe.myPe(), token, k);
                boolean here = Arrays.stream(ep.placement().local(rank)).anyMatch(each -> each == expert);
                float[] answer = answered(pe.myPe(), token, expert);
                for (int i = 0; i < HIDDEN && here; i++) {
                    local[i] = Math.fma(weight(pe.myPe(), token, k), answer[i], local[i]);
                }
            }
            float[] came = rounded(local);
            for (int i = 0; i < HIDDEN; i++) {
                sum[i] += came[i];
            }
        }
        return sum;
    }

    @Test
    void answersAndSumsAreThoseOfTheDefinition() {
        World.threads(2, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(60));
                for (ExpertLayout layout : ExpertLayout.values()) {
                    run(pe, layout);
                }
            }
        });
    }

    @Test
    void whatDoesNotFitIsRefused() {
        MoeShape odd = MoeShape.experts(2).hidden(24).tokens(2);
        MoeOptions scaled = MoeOptions.DEFAULT.results(DataType.FLOAT8_E4M3);
        assertThatThrownBy(() -> ExpertParallel.memory(odd, scaled, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("answers of FLOAT8_E4M3 are multiples of 16 elements");
        World.threads(1, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, odd.hidden(32), scaled)) {
                HostArray x = HostArray.allocate(DataType.BFLOAT16, 64);
                Routed routed = ep.dispatch(x, HostArray.allocate(DataType.INT32, 2), 2);
                Sums elsewhere = Sums.into(x).results(HostArray.allocate(DataType.FLOAT8_E4M3, 64));
                assertThatThrownBy(() -> ep.combine(elsewhere, routed))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("they belong into Routed.results and resultScales");
            }
        });
    }
}
