// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's lud, a matrix as a product of two triangles, in tiles: the diagonal one, those right of it and below, and
 * all the others.
 */
final class Lud extends Program {
    private static final int TILE = 8;

    @Kernel
    static void diagonal(int n, int from, F32Ptr a) {
        float[] tile = Shared.f32(TILE * TILE);
        int t = ThreadIdx.x();
        int size = Math.min(TILE, n - from);
        F32Ptr corner = a.plus(from * n + from);
        for (int i = 0; i < size && t < size; i++) {
            tile[i * TILE + t] = corner.get(i * n + t);
        }
        Block.sync();
        for (int k = 0; k < size - 1; k++) {
            if (t > k && t < size) {
                tile[t * TILE + k] /= tile[k * TILE + k];
                for (int j = k + 1; j < size; j++) {
                    tile[t * TILE + j] -= tile[t * TILE + k] * tile[k * TILE + j];
                }
            }
            Block.sync();
        }
        for (int i = 0; i < size && t < size; i++) {
            corner.set(i * n + t, tile[i * TILE + t]);
        }
    }

    /** One half of the threads has a row's tile, the other one a column's. */
    @Kernel
    static void border(int n, int from, F32Ptr a) {
        float[] corner = Shared.f32(TILE * TILE);
        float[] right = Shared.f32(TILE * TILE);
        float[] below = Shared.f32(TILE * TILE);
        int t = ThreadIdx.x() % TILE;
        boolean ofRow = ThreadIdx.x() < TILE;
        int other = from + TILE * (BlockIdx.x() + 1);
        int end = Math.min(TILE, n - other);
        for (int i = ofRow ? 0 : 1; i < TILE; i += 2) {
            corner[i * TILE + t] = a.get((from + i) * n + from + t);
        }
        for (int i = 0; i < TILE; i++) {
            if (ofRow && t < end) {
                right[i * TILE + t] = a.get((from + i) * n + other + t);
            }
            if (!ofRow && i < end) {
                below[i * TILE + t] = a.get((other + i) * n + from + t);
            }
        }
        Block.sync();
        if (t < end) {
            for (int i = 0; i < TILE; i++) {
                for (int k = 0; k < i; k++) {
                    if (ofRow) {
                        right[i * TILE + t] -= corner[i * TILE + k] * right[k * TILE + t];
                    } else {
                        below[t * TILE + i] -= below[t * TILE + k] * corner[k * TILE + i];
                    }
                }
                if (!ofRow) {
                    below[t * TILE + i] /= corner[i * TILE + i];
                }
            }
        }
        Block.sync();
        for (int i = 0; i < TILE; i++) {
            if (ofRow && t < end) {
                a.set((from + i) * n + other + t, right[i * TILE + t]);
            }
            if (!ofRow && i < end) {
                a.set((other + i) * n + from + t, below[i * TILE + t]);
            }
        }
    }

    @Kernel
    static void inner(int n, int from, F32Ptr a) {
        float[] right = Shared.f32(TILE * TILE);
        float[] below = Shared.f32(TILE * TILE);
        int x = ThreadIdx.x();
        int y = ThreadIdx.y();
        int row = from + TILE * (BlockIdx.y() + 1) + y;
        int column = from + TILE * (BlockIdx.x() + 1) + x;
        right[y * TILE + x] = column < n ? a.get((from + y) * n + column) : 0;
        below[y * TILE + x] = row < n ? a.get(row * n + from + x) : 0;
        Block.sync();
        if (row < n && column < n) {
            float value = a.get(row * n + column);
            for (int k = 0; k < TILE; k++) {
                value -= below[y * TILE + k] * right[k * TILE + x];
            }
            a.set(row * n + column, value);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 37;
        float[] a = floats(random, n * n);
        for (int i = 0; i < n; i++) {
            a[i * n + i] += n;
        }
        HostArray result = HostArray.of(a);
        CompiledKernel diagonal = machine.kernel(Lud.class, "diagonal");
        CompiledKernel border = machine.kernel(Lud.class, "border");
        CompiledKernel inner = machine.kernel(Lud.class, "inner");
        for (int from = 0; from < n; from += TILE) {
            machine.launch(diagonal, LaunchConfig.grid(1).block(32), n, from, result);
            int rest = blocks(n - from, TILE) - 1;
            if (rest > 0) {
                machine.launch(border, LaunchConfig.grid(rest).block(2 * TILE), n, from, result);
                machine.launch(inner, LaunchConfig.grid(rest, rest).block(TILE, TILE), n, from, result);
            }
        }
        for (int k = 0; k < n; k++) {
            for (int i = k + 1; i < n; i++) {
                a[i * n + k] /= a[k * n + k];
                for (int j = k + 1; j < n; j++) {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
        // Each element gets the same differences in the same order.
        assertThat(result.toFloatArray()).isEqualTo(a);
    }
}
