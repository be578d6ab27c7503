// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/**
 * PolyBench's seidel-2d, which works in place: points on one slanted line depend on lines before only, and are a
 * launch.
 */
final class Seidel2d extends Program {
    @Kernel
    static void line(int n, int line, F64Ptr a) {
        int i = GlobalIdx.x() + 1;
        int j = line - 2 * i;
        if (i < n - 1 && j > 0 && j < n - 1) {
            F64Ptr middle = a.plus(i * n + j);
            F64Ptr above = middle.plus(-n);
            F64Ptr below = middle.plus(n);
            middle.set(
                    0,
                    (above.get(-1)
                                    + above.get(0)
                                    + above.get(1)
                                    + middle.get(-1)
                                    + middle.get(0)
                                    + middle.get(1)
                                    + below.get(-1)
                                    + below.get(0)
                                    + below.get(1))
                            / 9);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 21;
        double[] a = doubles(random, n * n);
        HostArray plane = HostArray.of(a);
        CompiledKernel line = machine.kernel(Seidel2d.class, "line");
        for (int step = 0; step < 2; step++) {
            for (int at = 3; at <= 3 * (n - 2); at++) {
                machine.launch(line, LaunchConfig.grid(blocks(n, 8)).block(8), n, at, plane);
            }
            for (int i = 1; i < n - 1; i++) {
                for (int j = 1; j < n - 1; j++) {
                    int at = i * n + j;
                    a[at] = (a[at - n - 1]
                                    + a[at - n]
                                    + a[at - n + 1]
                                    + a[at - 1]
                                    + a[at]
                                    + a[at + 1]
                                    + a[at + n - 1]
                                    + a[at + n]
                                    + a[at + n + 1])
                            / 9;
                }
            }
        }
        assertThat(plane.toDoubleArray()).isEqualTo(a);
    }
}
