// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Weights follow their experts to other PEs, and gradients of replicas are added. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExpertArraysTest {
    private static final int ELEMENTS = 5;
    private static final int[][] PLACED = {{1, 2}, {0}, {0, 1, 2}, {2}, {1}, {0, 2}, {0}};

    private static float weight(int expert, int i) {
        return 100 * expert + i + 0.25f;
    }

    private static float gradient(int pe, int expert, int i) {
        return (pe + 1) * 0.1f + expert + 1f / (i + 3);
    }

    @Test
    void weightsAndGradientsAreThoseOfTheExperts() {
        World.threads(3, world -> {
            MoeShape shape = MoeShape.experts(7).perToken(2).hidden(8).tokens(4).input(DataType.FLOAT32);
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(30));
                Buffer old = pe.allocate(DataType.FLOAT32, 7 * ELEMENTS);
                Buffer now = pe.allocate(DataType.FLOAT32, 7 * ELEMENTS);
                HostArray sums = HostArray.allocate(DataType.FLOAT32, 7 * ELEMENTS);
                try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.localExperts(7))) {
                    weights(ep, pe, old);
                    // In equal shares, each has but one replica.
                    ep.reduceReplicas(sums, old, ELEMENTS);
                    assertThat(sums.toFloatArray()).containsExactly(old.toFloatArray());
                    ep.placement(ExpertPlacement.of(3, PLACED));
                    ep.fetch(now, old, ELEMENTS);
                    judge(ep, pe, now);
                    ep.placement(ExpertPlacement.even(7, 3));
                    ep.fetch(old, now, ELEMENTS);
                    judge(ep, pe, old);
                    ep.placement(ExpertPlacement.of(3, PLACED));
                    int[] local = ep.placement().local(pe.myPe());
                    HostArray gradients = HostArray.allocate(DataType.FLOAT32, (long) local.length * ELEMENTS);
                    for (int i = 0; i < gradients.count(); i++) {
                        gradients.setFloat(i, gradient(pe.myPe(), local[i / ELEMENTS], i % ELEMENTS));
                    }
                    now.slice(0, gradients.count()).copyFrom(gradients);
                    ep.reduceReplicas(sums, now, ELEMENTS);
                    for (int i = 0; i < gradients.count(); i++) {
                        float sum = 0;
                        for (int each : PLACED[local[i / ELEMENTS]]) {
                            sum += gradient(each, local[i / ELEMENTS], i % ELEMENTS);
                        }
                        assertThat(sums.getFloat(i)).isEqualTo(sum);
                    }
                    assertThatThrownBy(() -> ep.reduceReplicas(now, now, ELEMENTS))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("overlaps");
                    assertThatThrownBy(() -> ep.fetch(now, sums, ELEMENTS))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("is not symmetric: other PEs read it");
                }
            }
        });
    }

    private static void weights(ExpertParallel ep, ShmemPe pe, Buffer to) {
        int[] local = ep.placement().local(pe.myPe());
        HostArray all = HostArray.allocate(DataType.FLOAT32, to.count());
        for (int i = 0; i < local.length * ELEMENTS; i++) {
            all.setFloat(i, weight(local[i / ELEMENTS], i % ELEMENTS));
        }
        to.copyFrom(all);
    }

    private static void judge(ExpertParallel ep, ShmemPe pe, Buffer of) {
        int[] local = ep.placement().local(pe.myPe());
        assertThat(ep.localExperts()).isEqualTo(local.length);
        float[] found = of.toFloatArray();
        for (int i = 0; i < local.length * ELEMENTS; i++) {
            assertThat(found[i]).isEqualTo(weight(local[i / ELEMENTS], i % ELEMENTS));
        }
    }
}
