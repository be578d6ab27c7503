// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** PolyBench's syrk, the lower half of {@code c = α a aᵀ + β c}, in tiles; blocks above the diagonal leave at once. */
final class Syrk extends Program {
    private static final int TILE = 8;

    @Kernel(maxThreads = TILE * TILE)
    static void lower(int n, int m, float alpha, float beta, F32Ptr a, F32Ptr c) {
        if (BlockIdx.x() > BlockIdx.y()) {
            return;
        }
        float[] left = Shared.f32(TILE * TILE);
        float[] right = Shared.f32(TILE * (TILE + 1));
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        int i = BlockIdx.y() * TILE + y;
        int j = BlockIdx.x() * TILE + x;
        boolean wanted = i < n && j <= i;
        float sum = wanted ? beta * c.get(i * n + j) : 0;
        for (int from = 0; from < m; from += TILE) {
            int k = from + x;
            int other = BlockIdx.x() * TILE + y;
            left[y * TILE + x] = i < n && k < m ? a.get(i * m + k) : 0;
            right[x * (TILE + 1) + y] = other < n && k < m ? a.get(other * m + k) : 0;
            Block.sync();
            int end = Math.min(TILE, m - from);
            for (int step = 0; step < end; step++) {
                sum += alpha * left[y * TILE + step] * right[step * (TILE + 1) + x];
            }
            Block.sync();
        }
        if (wanted) {
            c.set(i * n + j, sum);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 37;
        int m = 21;
        float[] a = floats(random, n * m);
        float[] c = floats(random, n * n);
        HostArray result = HostArray.of(c);
        machine.launch(
                machine.kernel(Syrk.class, "lower"),
                LaunchConfig.grid(blocks(n, TILE), blocks(n, TILE)).block(TILE, TILE),
                n,
                m,
                1.5f,
                -0.7f,
                HostArray.of(a),
                result);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                float sum = -0.7f * c[i * n + j];
                for (int k = 0; k < m; k++) {
                    sum += 1.5f * a[i * m + k] * a[j * m + k];
                }
                c[i * n + j] = sum;
            }
        }
        assertThat(result.toFloatArray()).isEqualTo(c);
    }
}
