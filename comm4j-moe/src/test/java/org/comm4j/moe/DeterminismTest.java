// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.test.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bits of a token's sum depend neither on the run, nor on other tokens, nor on the number of PEs. */
class DeterminismTest {
    private static final int EXPERTS = 8;
    private static final int CHOICES = 5;
    private static final int HIDDEN = 8;
    private static final int TOKENS = 8;
    private static final long SALT = 42;

    /** Sums that round. */
    @Kernel
    static void expert(RoutedRows rows, int firstExpert) {
        int n = rows.hidden();
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            for (int row = rows.begin(e); row < rows.end(e); row++) {
                F32Ptr x = FusedExperts.row(rows, row).asF32();
                F32Ptr y = FusedExperts.result(rows, row).asF32();
                for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
                    float sum = 0;
                    for (int j = 0; j < n; j++) {
                        sum = Math.fma(1f / (firstExpert + e + 3 * i + j + 1), x.get(j), sum);
                    }
                    y.set(i, sum);
                }
            }
        }
    }

    /** The sums of all tokens, of which each PE has its share; those of one alone where the others have none. */
    private static float[] sums(int pes, ExpertLayout layout, int alone) {
        float[] all = new float[TOKENS * HIDDEN];
        int share = TOKENS / pes;
        MoeShape shape = MoeShape.experts(EXPERTS)
                .perToken(CHOICES)
                .hidden(HIDDEN)
                .tokens(TOKENS)
                .input(DataType.FLOAT32);
        World.threads(pes, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(60));
                try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.layout(layout));
                        CompiledKernel expert = pe.compiler().compile(DeterminismTest::expert)) {
                    ep.blocks(1 + pe.myPe() % 2);
                    int[] mine = IntStream.range(pe.myPe() * share, (pe.myPe() + 1) * share)
                            .filter(token -> alone < 0 || token == alone)
                            .toArray();
                    float[] sums = sums(ep, expert, mine, ep.placement().local(pe.myPe())[0]);
                    synchronized (all) {
                        for (int i = 0; i < mine.length; i++) {
                            System.arraycopy(sums, i * HIDDEN, all, mine[i] * HIDDEN, HIDDEN);
                        }
                    }
                }
            }
        });
        return all;
    }

    private static float[] sums(ExpertParallel ep, CompiledKernel expert, int[] tokens, int firstExpert) {
        HostArray x = HostArray.allocate(DataType.FLOAT32, (long) tokens.length * HIDDEN);
        HostArray chosen = HostArray.allocate(DataType.INT32, (long) tokens.length * CHOICES);
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) tokens.length * CHOICES);
        for (int i = 0; i < x.count(); i++) {
            x.setFloat(i, MoeOracle.value(SALT, tokens[i / HIDDEN], i % HIDDEN));
        }
        for (int i = 0; i < chosen.count(); i++) {
            int token = tokens[i / CHOICES];
            chosen.setInt(i, (int) Math.floorMod(MoeOracle.hash(SALT, token) + 3 * (i % CHOICES), (long) EXPERTS));
            weights.setFloat(i, MoeOracle.value(SALT, token, i % CHOICES, 9));
        }
        HostArray y = HostArray.allocate(DataType.FLOAT32, x.count());
        Routed routed = ep.dispatch(x, chosen, tokens.length);
        expert.launch(ep.blocks(), routed.rows(), firstExpert);
        ep.combine(y, routed, weights);
        return y.toFloatArray();
    }

    @ParameterizedTest
    @EnumSource(names = {"PADDED", "RAGGED"})
    void bitsDependOnTheTokenAlone(ExpertLayout layout) {
        float[] one = sums(1, layout, -1);
        // None is a sum of zeros.
        assertThat(IntStream.range(0, one.length).filter(i -> one[i] == 0).count())
                .isZero();
        for (int pes : Nightly.isOn() ? new int[] {2, 4, 8} : new int[] {4}) {
            for (int run = 0; run < (Nightly.isOn() ? 20 : 1); run++) {
                assertThat(sums(pes, layout, -1)).as(pes + " PEs").containsExactly(one);
            }
            int token = 5;
            assertThat(Arrays.copyOfRange(sums(pes, layout, token), token * HIDDEN, (token + 1) * HIDDEN))
                    .as("token " + token + " alone, " + pes + " PEs")
                    .containsExactly(Arrays.copyOfRange(one, token * HIDDEN, (token + 1) * HIDDEN));
        }
    }
}
