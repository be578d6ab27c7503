// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** PolyBench's doitgen: every row of a cube times a matrix, in its place, by way of dynamic shared memory. */
final class Doitgen extends Program {
    @Kernel
    static void rows(int length, F64Ptr cube, F64Ptr matrix) {
        F64Ptr row = Shared.dynamicF64();
        F64Ptr own = cube.plus((long) (BlockIdx.y() * GridDim.x() + BlockIdx.x()) * length);
        for (int p = ThreadIdx.x(); p < length; p += BlockDim.x()) {
            row.set(p, own.get(p));
        }
        Block.sync();
        for (int p = ThreadIdx.x(); p < length; p += BlockDim.x()) {
            double sum = 0;
            int s = 0;
            do {
                sum += row.get(s) * matrix.get(s * length + p);
            } while (++s < length);
            own.set(p, sum);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int planes = 5;
        int rows = 7;
        int length = 33;
        double[] cube = doubles(random, planes * rows * length);
        double[] matrix = doubles(random, length * length);
        HostArray result = HostArray.of(cube);
        machine.launch(
                machine.kernel(Doitgen.class, "rows"),
                LaunchConfig.grid(rows, planes).block(20).shared(length * Double.BYTES),
                length,
                result,
                HostArray.of(matrix));
        double[] expected = new double[cube.length];
        for (int row = 0; row < planes * rows; row++) {
            for (int p = 0; p < length; p++) {
                for (int s = 0; s < length; s++) {
                    expected[row * length + p] += cube[row * length + s] * matrix[s * length + p];
                }
            }
        }
        assertThat(result.toDoubleArray()).isEqualTo(expected);
    }
}
