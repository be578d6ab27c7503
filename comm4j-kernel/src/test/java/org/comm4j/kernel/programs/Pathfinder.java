// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's pathfinder, the cheapest way down a grid: several rows a launch, in overlapping blocks, two rows in shared
 * memory by turns.
 */
final class Pathfinder extends Program {
    private static final int THREADS = 32;
    private static final int ROWS = 4;
    private static final int INNER = THREADS - 2 * ROWS;

    @Kernel
    static void rows(int columns, int first, int end, I32Ptr costs, I32Ptr from, I32Ptr to) {
        int[] line = Shared.i32(2 * THREADS);
        int t = ThreadIdx.x();
        int column = BlockIdx.x() * INNER + t - ROWS;
        boolean inside = column >= 0 && column < columns;
        if (inside) {
            line[t] = from.get(column);
        }
        Block.sync();
        int half = 0;
        for (int row = first, step = 1; row < end; row++, step++) {
            if (inside && t >= step && t < THREADS - step) {
                int best = line[half + t];
                if (column > 0) {
                    best = Math.min(best, line[half + t - 1]);
                }
                if (column < columns - 1) {
                    best = Math.min(best, line[half + t + 1]);
                }
                line[THREADS - half + t] = best + costs.get(row * columns + column);
            }
            half = THREADS - half;
            Block.sync();
        }
        if (inside && t >= ROWS && t < THREADS - ROWS) {
            to.set(column, line[half + t]);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 19;
        int columns = 101;
        int[] costs = random.ints((long) rows * columns, 0, 10).toArray();
        HostArray all = HostArray.of(costs);
        HostArray from = HostArray.of(Arrays.copyOf(costs, columns));
        HostArray to = HostArray.of(new int[columns]);
        CompiledKernel kernel = machine.kernel(Pathfinder.class, "rows");
        for (int row = 1; row < rows; row += ROWS) {
            machine.launch(
                    kernel,
                    LaunchConfig.grid(blocks(columns, INNER)).block(THREADS),
                    columns,
                    row,
                    Math.min(row + ROWS, rows),
                    all,
                    from,
                    to);
            HostArray other = from;
            from = to;
            to = other;
        }
        int[] best = Arrays.copyOf(costs, columns);
        for (int row = 1; row < rows; row++) {
            int[] next = new int[columns];
            for (int column = 0; column < columns; column++) {
                int least = best[column];
                least = Math.min(least, best[Math.max(column - 1, 0)]);
                least = Math.min(least, best[Math.min(column + 1, columns - 1)]);
                next[column] = least + costs[row * columns + column];
            }
            best = next;
        }
        assertThat(from.toIntArray()).isEqualTo(best);
    }
}
