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

/** PolyBench's adi, alternating directions: each thread solves a tridiagonal system along its line, there and back. */
final class Adi extends Program {
    private static final double A = -0.3;
    private static final double B = 1.6;

    /**
     * Solves {@code A x[k-1] + B x[k] + A x[k+1] = right[k]} along lines, whose points are {@code step} apart and begin
     * {@code next} apart.
     */
    @Kernel
    static void solve(int n, int step, int next, F64Ptr right, F64Ptr x, F64Ptr factors) {
        int line = GlobalIdx.x();
        if (line >= n) {
            return;
        }
        int at = line * next;
        double factor = 0;
        double value = 0;
        for (int k = 0; k < n; k++, at += step) {
            double pivot = B - A * factor;
            value = (right.get(at) - A * value) / pivot;
            factor = A / pivot;
            x.set(at, value);
            factors.set(at, factor);
        }
        double after = 0;
        for (int k = n - 1; k >= 0; k--) {
            at -= step;
            after = x.get(at) - factors.get(at) * after;
            x.set(at, after);
        }
    }

    private static double[] solved(int n, int step, int next, double[] right) {
        double[] x = new double[n * n];
        for (int line = 0; line < n; line++) {
            double[] factor = new double[n + 1];
            double[] value = new double[n + 1];
            for (int k = 0; k < n; k++) {
                double pivot = B - A * factor[k];
                value[k + 1] = (right[line * next + k * step] - A * value[k]) / pivot;
                factor[k + 1] = A / pivot;
            }
            double after = 0;
            for (int k = n; k > 0; k--) {
                after = value[k] - factor[k] * after;
                x[line * next + (k - 1) * step] = after;
            }
        }
        return x;
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 26;
        double[] u = doubles(random, n * n);
        HostArray first = HostArray.of(u);
        HostArray second = HostArray.of(new double[n * n]);
        HostArray factors = HostArray.of(new double[n * n]);
        CompiledKernel solve = machine.kernel(Adi.class, "solve");
        LaunchConfig config = LaunchConfig.grid(blocks(n, 16)).block(16);
        double[] expected = u;
        for (int step = 0; step < 2; step++) {
            machine.launch(solve, config, n, n, 1, first, second, factors);
            machine.launch(solve, config, n, 1, n, second, first, factors);
            expected = solved(n, 1, n, solved(n, n, 1, expected));
        }
        assertThat(first.toDoubleArray()).isEqualTo(expected);
    }
}
