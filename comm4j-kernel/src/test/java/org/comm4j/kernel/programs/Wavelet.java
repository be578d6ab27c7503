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
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's dwt2d, the reversible 5/3 wavelet of pictures: integers and shifts, with odd lengths, rows first, then
 * columns, then back.
 */
final class Wavelet extends Program {
    /** Points of a line at most. */
    private static final int LENGTH = 64;

    /** One line for each block. */
    @Kernel
    static void forward(int n, int step, int next, I16Ptr values) {
        short[] line = Shared.i16(LENGTH);
        I16Ptr own = values.plus((long) BlockIdx.x() * next);
        int low = (n + 1) / 2;
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            line[i] = own.get((long) i * step);
        }
        Block.sync();
        for (int i = 2 * ThreadIdx.x() + 1; i < n; i += 2 * BlockDim.x()) {
            int right = i + 1 < n ? line[i + 1] : line[i - 1];
            line[i] -= (short) (line[i - 1] + right >> 1);
        }
        Block.sync();
        for (int i = 2 * ThreadIdx.x(); i < n; i += 2 * BlockDim.x()) {
            int left = i > 0 ? line[i - 1] : line[1];
            int right = i + 1 < n ? line[i + 1] : line[n - 2];
            line[i] += (short) (left + right + 2 >> 2);
        }
        Block.sync();
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            own.set((long) (i % 2 == 0 ? i / 2 : low + i / 2) * step, line[i]);
        }
    }

    @Kernel
    static void back(int n, int step, int next, I16Ptr values) {
        short[] line = Shared.i16(LENGTH);
        I16Ptr own = values.plus((long) BlockIdx.x() * next);
        int low = (n + 1) / 2;
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            line[i] = own.get((long) (i % 2 == 0 ? i / 2 : low + i / 2) * step);
        }
        Block.sync();
        for (int i = 2 * ThreadIdx.x(); i < n; i += 2 * BlockDim.x()) {
            int left = i > 0 ? line[i - 1] : line[1];
            int right = i + 1 < n ? line[i + 1] : line[n - 2];
            line[i] -= (short) (left + right + 2 >> 2);
        }
        Block.sync();
        for (int i = 2 * ThreadIdx.x() + 1; i < n; i += 2 * BlockDim.x()) {
            int right = i + 1 < n ? line[i + 1] : line[i - 1];
            line[i] += (short) (line[i - 1] + right >> 1);
        }
        Block.sync();
        for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
            own.set((long) i * step, line[i]);
        }
    }

    private static void transform(int n, int from, int step, short[] values) {
        int[] line = new int[n];
        for (int i = 0; i < n; i++) {
            line[i] = values[from + i * step];
        }
        for (int i = 1; i < n; i += 2) {
            line[i] -= Math.floorDiv(line[i - 1] + line[i + 1 < n ? i + 1 : i - 1], 2);
        }
        for (int i = 0; i < n; i += 2) {
            line[i] += Math.floorDiv(line[Math.abs(i - 1)] + line[i + 1 < n ? i + 1 : n - 2] + 2, 4);
        }
        for (int i = 0; i < n; i++) {
            values[from + (i / 2 + i % 2 * ((n + 1) / 2)) * step] = (short) line[i];
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 41;
        int columns = 58;
        short[] picture = new short[rows * columns];
        for (int i = 0; i < picture.length; i++) {
            picture[i] = (short) random.nextInt(-128, 128);
        }
        HostArray result = HostArray.allocate(DataType.INT16, picture.length);
        result.copyFrom(picture);
        CompiledKernel forward = machine.kernel(Wavelet.class, "forward");
        CompiledKernel back = machine.kernel(Wavelet.class, "back");
        LaunchConfig ofRows = LaunchConfig.grid(rows).block(32);
        LaunchConfig ofColumns = LaunchConfig.grid(columns).block(24);
        machine.launch(forward, ofRows, columns, 1, columns, result);
        machine.launch(forward, ofColumns, rows, columns, 1, result);
        short[] expected = picture.clone();
        for (int row = 0; row < rows; row++) {
            transform(columns, row * columns, 1, expected);
        }
        for (int column = 0; column < columns; column++) {
            transform(rows, column, columns, expected);
        }
        assertThat(result.toShortArray()).isEqualTo(expected);
        machine.launch(back, ofColumns, rows, columns, 1, result);
        machine.launch(back, ofRows, columns, 1, columns, result);
        assertThat(result.toShortArray()).isEqualTo(picture);
    }
}
