// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** PolyBench's gramschmidt: a block for each column that is left, dot products by warps and then in shared memory. */
final class GramSchmidt extends Program {
    private static final int THREADS = 64;

    /** The sum over the block, in all of its threads. */
    private static double sum(double value, double[] ofWarps) {
        double sum = value;
        for (int by = 1; by < Warp.SIZE; by <<= 1) {
            sum += Warp.shuffleXor(sum, by);
        }
        Block.sync();
        if (Warp.isLeader()) {
            ofWarps[Warp.id()] = sum;
        }
        Block.sync();
        double all = 0;
        for (double each : ofWarps) {
            all += each;
        }
        return all;
    }

    @Kernel
    static void normalize(int m, int n, int k, F64Ptr a, F64Ptr q, F64Ptr r) {
        double[] ofWarps = Shared.f64(THREADS / Warp.SIZE);
        double squares = 0;
        for (int i = ThreadIdx.x(); i < m; i += THREADS) {
            squares += a.get(i * n + k) * a.get(i * n + k);
        }
        double norm = Math.sqrt(sum(squares, ofWarps));
        for (int i = ThreadIdx.x(); i < m; i += THREADS) {
            q.set(i * n + k, a.get(i * n + k) / norm);
        }
        if (ThreadIdx.x() == 0) {
            r.set(k * n + k, norm);
        }
    }

    @Kernel
    static void project(int m, int n, int k, F64Ptr a, F64Ptr q, F64Ptr r) {
        double[] ofWarps = Shared.f64(THREADS / Warp.SIZE);
        int j = k + 1 + BlockIdx.x();
        double product = 0;
        for (int i = ThreadIdx.x(); i < m; i += THREADS) {
            product += q.get(i * n + k) * a.get(i * n + j);
        }
        double along = sum(product, ofWarps);
        for (int i = ThreadIdx.x(); i < m; i += THREADS) {
            a.set(i * n + j, a.get(i * n + j) - q.get(i * n + k) * along);
        }
        if (ThreadIdx.x() == 0) {
            r.set(k * n + j, along);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int m = 75;
        int n = 6;
        double[] a = doubles(random, m * n);
        HostArray as = HostArray.of(a);
        HostArray qs = HostArray.of(new double[m * n]);
        HostArray rs = HostArray.of(new double[n * n]);
        CompiledKernel normalize = machine.kernel(GramSchmidt.class, "normalize");
        CompiledKernel project = machine.kernel(GramSchmidt.class, "project");
        for (int k = 0; k < n; k++) {
            machine.launch(normalize, LaunchConfig.grid(1).block(THREADS), m, n, k, as, qs, rs);
            if (k < n - 1) {
                machine.launch(project, LaunchConfig.grid(n - 1 - k).block(THREADS), m, n, k, as, qs, rs);
            }
        }
        double[] q = new double[m * n];
        double[] r = new double[n * n];
        for (int k = 0; k < n; k++) {
            double squares = 0;
            for (int i = 0; i < m; i++) {
                squares += a[i * n + k] * a[i * n + k];
            }
            r[k * n + k] = Math.sqrt(squares);
            for (int i = 0; i < m; i++) {
                q[i * n + k] = a[i * n + k] / r[k * n + k];
            }
            for (int j = k + 1; j < n; j++) {
                for (int i = 0; i < m; i++) {
                    r[k * n + j] += q[i * n + k] * a[i * n + j];
                }
                for (int i = 0; i < m; i++) {
                    a[i * n + j] -= q[i * n + k] * r[k * n + j];
                }
            }
        }
        // Sums of threads are added in another order, and the columns of random numbers are far from parallel.
        near(qs, q, 1e-12);
        near(rs, r, 1e-12);
    }
}
