// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/**
 * PolyBench's atax, {@code y = aᵀ (a x)}: a warp for each row, which adds by shuffles, then a thread for each column.
 */
final class Atax extends Program {
    private static final int THREADS = 96;

    @Kernel
    static void rows(int rows, int columns, F32Ptr a, F32Ptr x, F32Ptr between) {
        int row = (BlockIdx.x() * BlockDim.x() + ThreadIdx.x()) / Warp.SIZE;
        if (row >= rows) {
            return;
        }
        float sum = 0;
        for (int j = Warp.laneId(); j < columns; j += Warp.SIZE) {
            sum = Math.fma(a.get(row * columns + j), x.get(j), sum);
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            sum += Warp.shuffleXor(sum, by);
        }
        if (Warp.isLeader()) {
            between.set(row, sum);
        }
    }

    @Kernel
    static void columns(int rows, int columns, F32Ptr a, F32Ptr between, F32Ptr y) {
        int j = GlobalIdx.x();
        if (j < columns) {
            float sum = 0;
            for (int i = 0; i < rows; i++) {
                sum = Math.fma(a.get(i * columns + j), between.get(i), sum);
            }
            y.set(j, sum);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 23;
        int columns = 71;
        float[] a = floats(random, rows * columns);
        float[] x = floats(random, columns);
        HostArray matrix = HostArray.of(a);
        HostArray between = HostArray.of(new float[rows]);
        HostArray y = HostArray.of(new float[columns]);
        machine.launch(
                machine.kernel(Atax.class, "rows"),
                LaunchConfig.grid(blocks(rows * Warp.SIZE, THREADS)).block(THREADS),
                rows,
                columns,
                matrix,
                HostArray.of(x),
                between);
        machine.launch(
                machine.kernel(Atax.class, "columns"),
                LaunchConfig.grid(blocks(columns, THREADS)).block(THREADS),
                rows,
                columns,
                matrix,
                between,
                y);
        float[] expected = new float[columns];
        for (int i = 0; i < rows; i++) {
            // The lanes' sums are added in another order: a few units in the last place.
            float sum = 0;
            for (int j = 0; j < columns; j++) {
                sum += a[i * columns + j] * x[j];
            }
            assertThat(between.getFloat(i)).isCloseTo(sum, within(1e-5f));
            for (int j = 0; j < columns; j++) {
                expected[j] = Math.fma(a[i * columns + j], between.getFloat(i), expected[j]);
            }
        }
        assertThat(y.toFloatArray()).isEqualTo(expected);
    }
}
