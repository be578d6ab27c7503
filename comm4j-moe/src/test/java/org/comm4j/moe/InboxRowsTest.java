// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of few tokens, which go with the counts and are placed by who gets them; others stay as they are. */
class InboxRowsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());
    private static final int FEW = MoeTuning.FEW;

    private static MoeShape shape(int tokens) {
        return MoeShape.experts(6).perToken(3).hidden(16).tokens(tokens).input(DataType.FLOAT32);
    }

    private static int few(int pes, int tokens, MoeOptions options) {
        return new MoeMemory.Plan(shape(tokens), options, pes).few();
    }

    @Test
    void thereAreInboxesForFewTokens() {
        assertThat(few(2, 100, MoeOptions.DEFAULT)).isEqualTo(FEW);
        assertThat(few(2, 3, MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED))).isEqualTo(3);
        assertThat(few(1, 100, MoeOptions.DEFAULT)).isZero();
        assertThat(few(2, 100, MoeOptions.DEFAULT.group(2))).isZero();
        assertThat(few(2, 100, MoeOptions.DEFAULT.layout(ExpertLayout.BY_RANK))).isZero();
        assertThat(few(2, 100, MoeOptions.DEFAULT.quantize(Quantization.FP8_BLOCK_128)))
                .isZero();
    }

    /** The first dispatch of a slot has epoch 1. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theirNumberSaysHowRowsGo(int more) {
        int tokens = FEW + more;
        MoeOptions ragged = MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED);
        World.threads(2, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, shape(FEW + 1), ragged)) {
                Buffer x = pe.allocate(DataType.FLOAT32, (FEW + 1) * 16L);
                Buffer chosen = pe.allocate(DataType.INT32, (FEW + 1) * 3L);
                x.fill(pe.myPe() + 1);
                // Expert 4 is number 1 of PE 1.
                chosen.fill(4);
                Routed routed = ep.dispatch(x, chosen, tokens);
                if (pe.myPe() == 1) {
                    MoeSpace space = routed.rows().space();
                    long row = space.inbox(1, 0, 0);
                    long head = space.base().plus(row).asI64().get(0);
                    long first = space.base().plus(row).asI64().get(InboxRows.HEAD);
                    long one = 1L << 32;
                    assertThat(head).isEqualTo(more == 0 ? one | 1 : 0);
                    assertThat(first).isEqualTo(more == 0 ? one | Float.floatToRawIntBits(1) : 0);
                }
                routed.close();
            }
        });
    }

    /** Beyond the last epoch, with one slot, some PEs late, some with few tokens and some with more. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void oneAfterTheOther(int pes) {
        SplittableRandom random = new SplittableRandom(SEED);
        MoeLayerCase like = MoeLayerCase.random(pes, SEED);
        MoeShape shape = shape(FEW + 3).payload(8).payload(4).scales(3, DataType.UINT8);
        MoeLayerCase layer = new MoeLayerCase(
                shape,
                MoeOptions.DEFAULT
                        .inFlight(1)
                        .layout(random.nextBoolean() ? ExpertLayout.RAGGED : ExpertLayout.PADDED)
                        .results(DataType.FLOAT32),
                DataType.FLOAT32,
                like.routeType(),
                10,
                false,
                0,
                false,
                SEED);
        try {
            World.threads(pes, world -> {
                try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                        ExpertParallel ep = ExpertParallel.of(pe, layer.shape(), layer.options())) {
                    pe.timeout(Duration.ofSeconds(60));
                    ep.epochs(-4);
                    layer.run(pe, ep, 8);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(layer + ": " + e + "\n(the same data again: -Dcomm4j.seed=" + SEED + ")", e);
        }
    }
}
