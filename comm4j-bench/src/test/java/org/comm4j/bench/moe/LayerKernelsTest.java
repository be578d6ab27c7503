// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.BFloat16;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.moe.ExpertParallel;
import org.comm4j.moe.MoeOptions;
import org.comm4j.moe.MoeShape;
import org.comm4j.moe.Routed;
import org.comm4j.moe.Sums;
import org.comm4j.moe.Tokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The experts' products of {@link LayerKernels}, of small integers, whose sums are exact in any order. */
class LayerKernelsTest {
    private static final int EXPERTS = 4;
    private static final int HIDDEN = 96;
    /** By expert: full tiles and a part of one, no row, a row, exactly one tile. */
    private static final int[] ROWS = {70, 0, 1, 32};

    private static final int TOKENS = 103;

    enum Executor {
        FAST(CpuOptions.fast()),
        DEBUG(CpuOptions.debug()),
        CHECKED(CpuOptions.checked(7));

        @SuppressWarnings("ImmutableEnumChecker") // options are immutable
        private final CpuOptions options;

        Executor(CpuOptions options) {
            this.options = options;
        }
    }

    private static int element(int token, int i) {
        return (token * 5 + i * 3) % 7 - 3;
    }

    private static int factor(int expert, int i, int j) {
        return (expert * 11 + i * 5 + j * 3 + i * j) % 5 - 2;
    }

    private static int expert(int token) {
        int expert = 0;
        for (int left = token; left >= ROWS[expert]; expert++) {
            left -= ROWS[expert];
        }
        return expert;
    }

    private static float expected(int token, int j) {
        int sum = 0;
        for (int i = 0; i < HIDDEN; i++) {
            sum += element(token, i) * factor(expert(token), i, j);
        }
        return BFloat16.of(sum).toFloat();
    }

    @ParameterizedTest
    @EnumSource
    void answersAreThoseOfPlainJava(Executor executor) {
        HostArray x = HostArray.allocate(DataType.BFLOAT16, TOKENS * HIDDEN);
        HostArray chosen = HostArray.allocate(DataType.INT32, TOKENS);
        for (int t = 0; t < TOKENS; t++) {
            chosen.setInt(t, expert(t));
            for (int i = 0; i < HIDDEN; i++) {
                x.setFloat((long) t * HIDDEN + i, element(t, i));
            }
        }
        HostArray matrices = HostArray.allocate(DataType.BFLOAT16, EXPERTS * HIDDEN * HIDDEN);
        for (int e = 0; e < EXPERTS; e++) {
            for (int j = 0; j < HIDDEN; j++) {
                for (int i = 0; i < HIDDEN; i++) {
                    matrices.setFloat(((long) e * HIDDEN + j) * HIDDEN + i, factor(e, i, j));
                }
            }
        }
        MoeShape shape = MoeShape.experts(EXPERTS)
                .perToken(1)
                .hidden(HIDDEN)
                .tokens(TOKENS)
                .input(DataType.BFLOAT16);
        try (World world = World.join();
                ShmemPe pe = ShmemPe.onCpu(world, executor.options);
                ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED))) {
            // Two blocks for each expert, of two warps, and one that has none.
            LaunchConfig blocks = LaunchConfig.grid(2 * EXPERTS + 1).block(2 * Warp.SIZE);
            for (boolean fused : new boolean[] {false, true}) {
                HostArray y = HostArray.allocate(DataType.FLOAT32, TOKENS * HIDDEN);
                try (CompiledKernel experts = pe.compiler().compile(LayerKernels::experts, fused)) {
                    Tokens tokens = Tokens.of(x, chosen, TOKENS);
                    Routed routed = fused ? ep.dispatchSend(tokens) : ep.dispatch(tokens);
                    experts.launch(blocks, routed.rows(), BF16Ptr.of(matrices), HIDDEN);
                    if (fused) {
                        routed.receive();
                    }
                    ep.combine(Sums.into(y), routed);
                }
                for (int i = 0; i < y.count(); i++) {
                    assertThat(y.getFloat(i)).as("%d, fused %s", i, fused).isEqualTo(expected(i / HIDDEN, i % HIDDEN));
                }
            }
        }
    }
}
