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

/** PolyBench's 2mm, {@code d = α a b c + β d}: two products, one after the other, with records as parameters. */
final class TwoProducts extends Program {
    /** How much of the product, and how much of what was there. */
    record Factors(double alpha, double beta) {}

    @Kernel
    static void product(int rows, int columns, int inner, Factors factors, F64Ptr a, F64Ptr b, F64Ptr c) {
        int column = GlobalIdx.x();
        int row = GlobalIdx.y();
        if (row < rows && column < columns) {
            int at = row * columns + column;
            double sum = c.get(at) * factors.beta();
            for (int k = 0; k < inner; k++) {
                sum += factors.alpha() * a.get(row * inner + k) * b.get(k * columns + column);
            }
            c.set(at, sum);
        }
    }

    private static double[] expected(
            int rows, int columns, int inner, Factors factors, double[] a, double[] b, double[] c) {
        double[] result = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                double sum = c[i * columns + j] * factors.beta;
                for (int k = 0; k < inner; k++) {
                    sum += factors.alpha * a[i * inner + k] * b[k * columns + j];
                }
                result[i * columns + j] = sum;
            }
        }
        return result;
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 19;
        int m = 23;
        int k = 17;
        int l = 29;
        double[] a = doubles(random, n * k);
        double[] b = doubles(random, k * m);
        double[] c = doubles(random, m * l);
        double[] d = doubles(random, n * l);
        Factors first = new Factors(1.5, 0);
        Factors second = new Factors(1, 1.2);
        HostArray between = HostArray.of(new double[n * m]);
        HostArray result = HostArray.of(d);
        CompiledKernel product = machine.kernel(TwoProducts.class, "product");
        machine.launch(product, config(n, m), n, m, k, first, HostArray.of(a), HostArray.of(b), between);
        machine.launch(product, config(n, l), n, l, m, second, between, HostArray.of(c), result);
        double[] expected = expected(n, m, k, first, a, b, new double[n * m]);
        assertThat(between.toDoubleArray()).isEqualTo(expected);
        assertThat(result.toDoubleArray()).isEqualTo(expected(n, l, m, second, expected, c, d));
    }

    private static LaunchConfig config(int rows, int columns) {
        return LaunchConfig.grid(blocks(columns, 8), blocks(rows, 4)).block(8, 4);
    }
}
