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

/** PolyBench's conv2d: 3 × 3 weights in constant memory, the image in tiles with a rim that all threads load. */
final class Convolution2d extends Program {
    private static final float[] WEIGHTS = {0.2f, -0.3f, 0.4f, 0.5f, 0.6f, 0.7f, -0.8f, -0.9f, 0.1f};
    private static final int WIDTH = 16;
    private static final int HEIGHT = 4;
    private static final int PITCH = WIDTH + 2;

    @Kernel
    static void convolve(int rows, int columns, F32Ptr image, F32Ptr result) {
        float[] tile = Shared.f32(PITCH * (HEIGHT + 2));
        int left = BlockIdx.x() * WIDTH;
        int top = BlockIdx.y() * HEIGHT;
        for (int k = ThreadIdx.y() * WIDTH + ThreadIdx.x(); k < tile.length; k += WIDTH * HEIGHT) {
            int row = Math.clamp(top + k / PITCH - 1, 0, rows - 1);
            int column = Math.clamp(left + k % PITCH - 1, 0, columns - 1);
            tile[k] = image.get(row * columns + column);
        }
        Block.sync();
        int row = top + ThreadIdx.y();
        int column = left + ThreadIdx.x();
        if (row < rows && column < columns) {
            float sum = 0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    sum += WEIGHTS[3 * i + j] * tile[(ThreadIdx.y() + i) * PITCH + ThreadIdx.x() + j];
                }
            }
            result.set(row * columns + column, sum);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 29;
        int columns = 50;
        float[] image = floats(random, rows * columns);
        HostArray result = HostArray.of(new float[rows * columns]);
        machine.launch(
                machine.kernel(Convolution2d.class, "convolve"),
                LaunchConfig.grid(blocks(columns, WIDTH), blocks(rows, HEIGHT)).block(WIDTH, HEIGHT),
                rows,
                columns,
                HostArray.of(image),
                result);
        float[] expected = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        int y = Math.min(Math.max(row + i - 1, 0), rows - 1);
                        int x = Math.min(Math.max(column + j - 1, 0), columns - 1);
                        expected[row * columns + column] += WEIGHTS[3 * i + j] * image[y * columns + x];
                    }
                }
            }
        }
        assertThat(result.toFloatArray()).isEqualTo(expected);
    }
}
