// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;

/**
 * PolyBench's gemver: {@code a += u₁ v₁ᵀ + u₂ v₂ᵀ; x += β aᵀ y + z; w = α a x}. Three launches that need each other's
 * results.
 */
final class Gemver extends Program {
    private static final int N = 45;
    private static final double ALPHA = 1.5;
    private static final double BETA = -1.2;

    @Kernel
    static void update(int n, F64Ptr a, F64Ptr u1, F64Ptr v1, F64Ptr u2, F64Ptr v2) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < n && j < n) {
            int at = i * n + j;
            a.set(at, a.get(at) + u1.get(i) * v1.get(j) + u2.get(i) * v2.get(j));
        }
    }

    @Kernel
    static void transposed(int n, F64Ptr a, F64Ptr x, F64Ptr y, F64Ptr z) {
        int i = GlobalIdx.x();
        if (i < n) {
            double sum = x.get(i);
            for (int j = 0; j < n; j++) {
                sum += BETA * a.get(j * n + i) * y.get(j);
            }
            x.set(i, sum + z.get(i));
        }
    }

    @Kernel
    static void product(int n, F64Ptr a, F64Ptr x, F64Ptr w) {
        int i = GlobalIdx.x();
        if (i < n) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += ALPHA * a.get(i * n + j) * x.get(j);
            }
            w.set(i, sum);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        double[] a = doubles(random, N * N);
        double[][] vectors = new double[7][];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = doubles(random, N);
        }
        HostArray matrix = HostArray.of(a);
        HostArray[] arrays = Arrays.stream(vectors).map(HostArray::of).toArray(HostArray[]::new);
        HostArray w = HostArray.of(new double[N]);
        LaunchConfig line = LaunchConfig.grid(blocks(N, 32)).block(32);
        machine.launch(
                machine.kernel(Gemver.class, "update"),
                LaunchConfig.grid(blocks(N, 16), blocks(N, 4)).block(16, 4),
                N,
                matrix,
                arrays[0],
                arrays[1],
                arrays[2],
                arrays[3]);
        machine.launch(machine.kernel(Gemver.class, "transposed"), line, N, matrix, arrays[4], arrays[5], arrays[6]);
        machine.launch(machine.kernel(Gemver.class, "product"), line, N, matrix, arrays[4], w);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                a[i * N + j] = a[i * N + j] + vectors[0][i] * vectors[1][j] + vectors[2][i] * vectors[3][j];
            }
        }
        double[] x = vectors[4];
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                x[i] += BETA * a[j * N + i] * vectors[5][j];
            }
            x[i] += vectors[6][i];
        }
        double[] expected = new double[N];
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                expected[i] += ALPHA * a[i * N + j] * x[j];
            }
        }
        assertThat(matrix.toDoubleArray()).isEqualTo(a);
        assertThat(arrays[4].toDoubleArray()).isEqualTo(x);
        assertThat(w.toDoubleArray()).isEqualTo(expected);
    }
}
