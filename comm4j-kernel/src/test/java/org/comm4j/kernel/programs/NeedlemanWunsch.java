// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's nw, the best alignment of two sequences: tiles on a diagonal are a launch, diagonals within a tile are
 * steps between barriers.
 */
final class NeedlemanWunsch extends Program {
    private static final int TILE = 16;
    private static final int PITCH = TILE + 1;
    private static final int PENALTY = 10;

    @Kernel
    static void diagonal(
            int rows, int columns, int diagonal, int firstRow, I8Ptr left, I8Ptr top, I8Ptr similar, I32Ptr score) {
        int[] tile = Shared.i32(PITCH * PITCH);
        int t = ThreadIdx.x();
        int tileRow = firstRow + BlockIdx.x();
        int row = tileRow * TILE;
        int column = (diagonal - tileRow) * TILE;
        int pitch = columns + 1;
        int height = Math.min(TILE, rows - row);
        int width = Math.min(TILE, columns - column);
        if (t <= width) {
            tile[t] = score.get(row * pitch + column + t);
        }
        if (t > 0 && t <= height) {
            tile[t * PITCH] = score.get((row + t) * pitch + column);
        }
        Block.sync();
        for (int step = 0; step < height + width - 1; step++) {
            int i = t + 1;
            int j = step - t + 1;
            if (i <= height && j >= 1 && j <= width) {
                int match = similar.get(left.get(row + i - 1) * 4 + top.get(column + j - 1));
                int diagonally = tile[(i - 1) * PITCH + j - 1] + match;
                int gap = Math.max(tile[(i - 1) * PITCH + j], tile[i * PITCH + j - 1]) - PENALTY;
                tile[i * PITCH + j] = Math.max(diagonally, gap);
            }
            Block.sync();
        }
        for (int i = 1; i <= height; i++) {
            if (t < width) {
                score.set((row + i) * pitch + column + t + 1, tile[i * PITCH + t + 1]);
            }
        }
    }

    private static HostArray bytes(byte[] values) {
        HostArray array = HostArray.allocate(DataType.INT8, values.length);
        array.copyFrom(values);
        return array;
    }

    private static byte[] letters(Random random, int n) {
        byte[] letters = new byte[n];
        for (int i = 0; i < n; i++) {
            letters[i] = (byte) random.nextInt(4);
        }
        return letters;
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 45;
        int columns = 70;
        byte[] left = letters(random, rows);
        byte[] top = letters(random, columns);
        byte[] similar = new byte[16];
        for (int i = 0; i < 16; i++) {
            similar[i] = (byte) (i % 5 == 0 ? 7 : random.nextInt(-4, 2));
        }
        int[] score = new int[(rows + 1) * (columns + 1)];
        for (int i = 0; i <= rows; i++) {
            score[i * (columns + 1)] = -PENALTY * i;
        }
        for (int j = 0; j <= columns; j++) {
            score[j] = -PENALTY * j;
        }
        HostArray result = HostArray.of(score);
        HostArray lefts = bytes(left);
        HostArray tops = bytes(top);
        HostArray matrix = bytes(similar);
        CompiledKernel kernel = machine.kernel(NeedlemanWunsch.class, "diagonal");
        int down = blocks(rows, TILE);
        int across = blocks(columns, TILE);
        for (int diagonal = 0; diagonal < down + across - 1; diagonal++) {
            int first = Math.max(0, diagonal - across + 1);
            int tiles = Math.min(diagonal, down - 1) - first + 1;
            machine.launch(
                    kernel,
                    LaunchConfig.grid(tiles).block(2 * TILE),
                    rows,
                    columns,
                    diagonal,
                    first,
                    lefts,
                    tops,
                    matrix,
                    result);
        }
        for (int i = 1; i <= rows; i++) {
            for (int j = 1; j <= columns; j++) {
                int at = i * (columns + 1) + j;
                score[at] = Math.max(
                        score[at - columns - 2] + similar[left[i - 1] * 4 + top[j - 1]],
                        Math.max(score[at - columns - 1], score[at - 1]) - PENALTY);
            }
        }
        assertThat(result.toIntArray()).isEqualTo(score);
    }
}
