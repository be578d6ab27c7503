// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * PolyBench's bicg, {@code s = aᵀ r} and {@code q = a p}, in one launch: half of the blocks for each, sums in shared
 * memory.
 */
final class Bicg extends Program {
    private static final int THREADS = 32;

    @Kernel
    static void both(int rows, int columns, F64Ptr a, F64Ptr r, F64Ptr p, F64Ptr s, F64Ptr q) {
        double[] partial = Shared.f64(THREADS);
        int block = BlockIdx.x();
        boolean ofRow = block < rows;
        int terms = ofRow ? columns : rows;
        int from = ofRow ? block * columns : block - rows;
        int step = ofRow ? 1 : columns;
        F64Ptr vector = ofRow ? p : r;
        int t = ThreadIdx.x();
        double sum = 0;
        for (int k = t; k < terms; k += BlockDim.x()) {
            sum += a.get(from + k * step) * vector.get(k);
        }
        partial[t] = sum;
        for (int half = THREADS / 2; half > 0; half >>= 1) {
            Block.sync();
            if (t < half) {
                partial[t] += partial[t + half];
            }
        }
        if (t == 0) {
            if (ofRow) {
                q.set(block, partial[0]);
            } else {
                s.set(block - rows, partial[0]);
            }
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int rows = 19;
        int columns = 37;
        double[] a = doubles(random, rows * columns);
        double[] r = doubles(random, rows);
        double[] p = doubles(random, columns);
        HostArray s = HostArray.of(new double[columns]);
        HostArray q = HostArray.of(new double[rows]);
        machine.launch(
                machine.kernel(Bicg.class, "both"),
                LaunchConfig.grid(rows + columns).block(THREADS),
                rows,
                columns,
                HostArray.of(a),
                HostArray.of(r),
                HostArray.of(p),
                s,
                q);
        double[] expectedS = new double[columns];
        double[] expectedQ = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                expectedS[j] += a[i * columns + j] * r[i];
                expectedQ[i] += a[i * columns + j] * p[j];
            }
        }
        // Sums of threads are added in another order.
        near(s, expectedS, 1e-13);
        near(q, expectedQ, 1e-13);
    }
}
