// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/**
 * Rodinia's gaussian, elimination row by row: a launch for the factors, one for the rows below, then the host solves
 * the triangle.
 */
final class Gaussian extends Program {
    @Kernel
    static void factors(int n, int k, F32Ptr a, F32Ptr factors) {
        int i = GlobalIdx.x() + k + 1;
        if (i < n) {
            factors.set(i, a.get(i * n + k) / a.get(k * n + k));
        }
    }

    @Kernel
    static void eliminate(int n, int k, F32Ptr factors, F32Ptr a, F32Ptr b) {
        int i = GlobalIdx.x() + k + 1;
        int j = GlobalIdx.y() + k;
        if (i < n && j < n) {
            float factor = factors.get(i);
            a.set(i * n + j, a.get(i * n + j) - factor * a.get(k * n + j));
            if (j == k) {
                b.set(i, b.get(i) - factor * b.get(k));
            }
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 29;
        float[] a = floats(random, n * n);
        for (int i = 0; i < n; i++) {
            a[i * n + i] += 10;
        }
        float[] b = floats(random, n);
        HostArray matrix = HostArray.of(a);
        HostArray right = HostArray.of(b);
        HostArray factors = HostArray.of(new float[n]);
        CompiledKernel first = machine.kernel(Gaussian.class, "factors");
        CompiledKernel second = machine.kernel(Gaussian.class, "eliminate");
        for (int k = 0; k < n - 1; k++) {
            machine.launch(first, LaunchConfig.grid(2).block(16), n, k, matrix, factors);
            machine.launch(second, LaunchConfig.grid(4, 8).block(8, 4), n, k, factors, matrix, right);
        }
        float[] reduced = a.clone();
        float[] sides = b.clone();
        for (int k = 0; k < n - 1; k++) {
            for (int i = k + 1; i < n; i++) {
                float factor = reduced[i * n + k] / reduced[k * n + k];
                for (int j = k; j < n; j++) {
                    reduced[i * n + j] -= factor * reduced[k * n + j];
                }
                sides[i] -= factor * sides[k];
            }
        }
        assertThat(matrix.toFloatArray()).isEqualTo(reduced);
        assertThat(right.toFloatArray()).isEqualTo(sides);
        float[] x = new float[n];
        for (int i = n - 1; i >= 0; i--) {
            float sum = right.getFloat(i);
            for (int j = i + 1; j < n; j++) {
                sum -= matrix.getFloat((long) i * n + j) * x[j];
            }
            x[i] = sum / matrix.getFloat((long) i * n + i);
        }
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int j = 0; j < n; j++) {
                sum += a[i * n + j] * x[j];
            }
            assertThat(sum).isCloseTo(b[i], within(1e-4f));
        }
    }
}
