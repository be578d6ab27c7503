// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * PolyBench's mvt, {@code x₁ += a y₁; x₂ += aᵀ y₂}: one method for both, which gets the matrix's order of elements as a
 * lambda.
 */
final class Mvt extends Program {
    private static final int THREADS = 32;

    /** Where an element is. */
    interface Order {
        int at(int i, int j);
    }

    private static double row(Order order, int n, int i, double begin, F64Ptr a, F64Ptr y, double[] tile) {
        double sum = begin;
        for (int from = 0; from < n; from += THREADS) {
            int t = ThreadIdx.x();
            tile[t] = from + t < n ? y.get(from + t) : 0;
            Block.sync();
            int end = Math.min(THREADS, n - from);
            for (int j = 0; j < end && i < n; j++) {
                sum += a.get(order.at(i, from + j)) * tile[j];
            }
            Block.sync();
        }
        return sum;
    }

    @Kernel
    static void both(int n, F64Ptr a, F64Ptr x1, F64Ptr y1, F64Ptr x2, F64Ptr y2) {
        double[] tile = Shared.f64(THREADS);
        int i = GlobalIdx.x();
        double first = row((k, j) -> k * n + j, n, i, i < n ? x1.get(i) : 0, a, y1, tile);
        double second = row((k, j) -> j * n + k, n, i, i < n ? x2.get(i) : 0, a, y2, tile);
        if (i < n) {
            x1.set(i, first);
            x2.set(i, second);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 75;
        double[] a = doubles(random, n * n);
        double[] x1 = doubles(random, n);
        double[] y1 = doubles(random, n);
        double[] x2 = doubles(random, n);
        double[] y2 = doubles(random, n);
        HostArray first = HostArray.of(x1);
        HostArray second = HostArray.of(x2);
        machine.launch(
                machine.kernel(Mvt.class, "both"),
                LaunchConfig.grid(blocks(n, THREADS)).block(THREADS),
                n,
                HostArray.of(a),
                first,
                HostArray.of(y1),
                second,
                HostArray.of(y2));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                x1[i] += a[i * n + j] * y1[j];
                x2[i] += a[j * n + i] * y2[j];
            }
        }
        assertThat(first.toDoubleArray()).isEqualTo(x1);
        assertThat(second.toDoubleArray()).isEqualTo(x2);
    }
}
