// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuPlanTest {

    @ParameterizedTest
    @CsvSource({
        // iterations, blocking, norm every: iterations of a graph
        "1000, 1, 1, 20",
        "1000, 2, 1, 20",
        "1000, 4, 1, 40",
        "1000, 8, 1, 200",
        "1000, 8, 100, 200",
        "1000, 8, 7, 112",
        "1000, 8, 1000, 1000",
        "1000, 1, 50, 50",
        "50, 8, 1, 50",
        "50, 8, 30, 30"
    })
    void graphsHaveFewPasses(int iterations, int blocking, int normEvery, int batch) {
        GpuPlan plan = GpuPlan.of(iterations, blocking, normEvery, true);
        assertThat(plan.recorded()).isTrue();
        assertThat(plan.batch()).isEqualTo(batch);
    }

    @Test
    void thereIsNoGraphWithoutASecondNorm() {
        assertThat(GpuPlan.of(50, 8, 51, true).recorded()).isFalse();
        assertThat(GpuPlan.of(50, 8, Integer.MAX_VALUE, true).recorded()).isFalse();
    }

    @Test
    void everyIterationIsDoneOnce() {
        for (int blocking = 1; blocking <= 8; blocking *= 2) {
            for (int iterations : new int[] {1, 2, 7, 8, 19, 20, 21, 79, 80, 163, 1000, 1001}) {
                for (int normEvery : new int[] {1, 2, 3, 7, 8, 10, 100, 999, 2_000_000_000}) {
                    walk(GpuPlan.of(iterations, blocking, normEvery, true));
                    walk(GpuPlan.of(iterations, blocking, normEvery, false));
                }
            }
        }
    }

    private static void walk(GpuPlan plan) {
        int done = 0;
        int norms = 0;
        Set<Integer> depths = new HashSet<>();
        while (done < plan.iterations()) {
            int now = Math.min(plan.batch(), plan.iterations() - done);
            int passes = 0;
            for (int i = 0; i < now; passes++) {
                int depth = plan.depth(now - i);
                depths.add(depth);
                assertThat(depth).isBetween(1, plan.blocking()).isLessThanOrEqualTo(now - i);
                int here = 0;
                for (int iteration = done + i; iteration < done + i + depth; iteration++) {
                    here += iteration % plan.normEvery() == 0 ? 1 : 0;
                }
                assertThat(plan.hasNorm(done + i, depth)).as(plan.toString()).isEqualTo(here > 0);
                // A recording is made of the first batch.
                assertThat(!plan.recorded() || now < plan.batch() || plan.hasNorm(i, depth) == here > 0)
                        .as(plan.toString())
                        .isTrue();
                norms += here;
                i += depth;
            }
            assertThat(passes).as(plan.toString()).isEqualTo(plan.passes(now));
            done += now;
            assertThat(norms).isEqualTo(plan.norms(done));
        }
        assertThat(done).isEqualTo(plan.iterations());
        for (int depth = 1; depth <= plan.blocking(); depth *= 2) {
            assertThat(plan.has(depth)).as("%s, depth %d", plan, depth).isEqualTo(depths.contains(depth));
        }
    }
}
