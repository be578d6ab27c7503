// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;

/** {@link Routed#next}: dispatches one after the other with the same object. */
class NextTest {
    private static final int HIDDEN = 8;
    private static final MoeShape SHAPE =
            MoeShape.experts(2).perToken(1).hidden(HIDDEN).tokens(30).input(DataType.FLOAT32);

    @Test
    void blocksMayBeMoreThanTokens() {
        World.threads(1, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT)) {
                ep.blocks(Integer.MAX_VALUE);
                Buffer x = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                Buffer chosen = pe.allocate(DataType.INT32, 30);
                Buffer y = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                x.fill(7);
                Routed routed = ep.dispatch(x, chosen, 30);
                routed.results().copyFrom(routed.x().toHost());
                ep.combine(Sums.into(y), routed);
                assertThat(y.toHost().toFloatArray()).containsOnly(7);
            }
        });
    }

    @Test
    void rowsAreThoseOfTheLastTokens() {
        World.threads(2, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT.inFlight(2))) {
                Buffer x = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                Buffer chosen = pe.allocate(DataType.INT32, 30);
                Buffer y = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                // Each PE sends its tokens to the other one.
                chosen.fill(1 - pe.myPe());
                Routed routed = ep.dispatch(x, chosen, 1);
                assertThatThrownBy(() -> routed.next(Tokens.of(x, chosen, 1)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("has not ended yet");
                int slot = routed.slot();
                for (int step = 1; step < 30; step++) {
                    routed.results().copyFrom(routed.x().toHost());
                    ep.combine(Sums.into(y), routed);
                    x.fill(10 * step + pe.myPe());
                    routed.next(Tokens.of(x, chosen, step));
                    assertThat(routed.slot()).isNotEqualTo(slot);
                    slot = routed.slot();
                    assertThat(routed.tokens()).isEqualTo(step);
                    assertThat(routed.counts().toIntArray()).containsExactly(step);
                    float[] rows = routed.x().toFloatArray();
                    for (int i = 0; i < step * HIDDEN; i++) {
                        assertThat(rows[i]).isEqualTo(10 * step + 1 - pe.myPe());
                    }
                }
                routed.close();
                assertThatThrownBy(routed::x)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("was ended by close");
                routed.next(Tokens.of(x, chosen, 0));
                ep.combine(Sums.into(y), routed);
            }
        });
    }

    /** The sums of a combine that has begun are of the dispatch before, which has its memory until they came. */
    @Test
    void sumsComeFirst() {
        World.threads(2, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT.inFlight(2))) {
                Buffer x = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                Buffer chosen = pe.allocate(DataType.INT32, 30);
                Buffer y = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                x.fill(7);
                Routed routed = ep.dispatch(x, chosen, 1);
                routed.results().copyFrom(routed.x().toHost());
                PendingSums sums = ep.combineSend(Sums.into(y), routed);
                assertThatThrownBy(() -> routed.next(Tokens.of(x, chosen, 2)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("has not ended yet: receive its sums first");
                sums.receive();
                assertThat(y.toFloatArray()[HIDDEN - 1]).isEqualTo(7);
                routed.next(Tokens.of(x, chosen, 2));
                routed.close();
            }
        });
    }

    /** What has been refused leaves the object ended, and its memory free. */
    @Test
    void whatIsRefusedChangesNothing() {
        World.threads(2, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
                    ExpertParallel ep = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT.inFlight(1))) {
                Buffer x = pe.allocate(DataType.FLOAT32, 30 * HIDDEN);
                Buffer chosen = pe.allocate(DataType.INT32, 30);
                Routed routed = ep.dispatch(x, chosen, 1);
                routed.close();
                assertThatThrownBy(() -> routed.next(Tokens.of(x, chosen, 31)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("31 tokens are not 0 to 30");
                assertThatThrownBy(routed::rows).isInstanceOf(IllegalStateException.class);
                chosen.fill(pe.myPe() == 0 ? 7 : 1);
                if (pe.myPe() == 0) {
                    assertThatThrownBy(() -> routed.next(Tokens.of(x, chosen, 1)))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("expert 7 is not one of 0 to 1");
                } else {
                    routed.next(Tokens.of(x, chosen, 1));
                    routed.close();
                }
                chosen.fill(0);
                routed.next(Tokens.of(x, chosen, 2));
                assertThat(routed.counts().toIntArray()).isEqualTo(pe.myPe() == 0 ? new int[] {4} : new int[] {0});
                routed.close();
            }
        });
    }
}
