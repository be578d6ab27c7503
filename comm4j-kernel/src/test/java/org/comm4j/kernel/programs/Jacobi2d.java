// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;

/** PolyBench's jacobi-2d, all steps in one cooperative launch, with a barrier of the grid between them. */
final class Jacobi2d extends Program {
    @Kernel
    static void steps(int n, int steps, F64Ptr a, F64Ptr b) {
        F64Ptr from = a;
        F64Ptr to = b;
        for (int step = 0; step < steps; step++) {
            for (int at = GlobalIdx.x(); at < n * n; at += GridDim.x() * BlockDim.x()) {
                int i = at / n;
                int j = at % n;
                if (i > 0 && j > 0 && i < n - 1 && j < n - 1) {
                    to.set(
                            at,
                            0.2
                                    * (from.get(at)
                                            + from.get(at - 1)
                                            + from.get(at + 1)
                                            + from.get(at + n)
                                            + from.get(at - n)));
                }
            }
            Grid.sync();
            F64Ptr other = from;
            from = to;
            to = other;
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 31;
        int steps = 7;
        double[] a = doubles(random, n * n);
        double[] b = a.clone();
        HostArray first = HostArray.of(a);
        HostArray second = HostArray.of(b);
        machine.launch(
                machine.kernel(Jacobi2d.class, "steps"),
                LaunchConfig.grid(3).block(64).cooperatively(),
                n,
                steps,
                first,
                second);
        for (int step = 0; step < steps; step++) {
            for (int i = 1; i < n - 1; i++) {
                for (int j = 1; j < n - 1; j++) {
                    int at = i * n + j;
                    b[at] = 0.2 * (a[at] + a[at - 1] + a[at + 1] + a[at + n] + a[at - n]);
                }
            }
            double[] other = a;
            a = b;
            b = other;
        }
        assertThat(second.toDoubleArray()).isEqualTo(a);
        assertThat(first.toDoubleArray()).isEqualTo(b);
    }
}
