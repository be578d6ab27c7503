// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.List;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** Kernels of a matrix and vectors. */
final class Vectors {
    private static final int THREADS = 128;

    private Vectors() {}

    /** {@code y = a x}, a row for each thread. */
    @Kernel
    static void rows(int n, F32Ptr a, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            float sum = 0;
            for (int j = 0; j < n; j++) {
                sum += a.get(i * n + j) * x.get(j);
            }
            y.set(i, sum);
        }
    }

    /** {@code y = aT x}, summed in memory as PolyBench has it, a column for each thread. */
    @Kernel
    static void columns(int n, F32Ptr a, F32Ptr x, F32Ptr y) {
        int j = GlobalIdx.x();
        if (j < n) {
            y.set(j, 0);
            for (int i = 0; i < n; i++) {
                y.set(j, y.get(j) + a.get(i * n + j) * x.get(i));
            }
        }
    }

    private static double row(int n, HostArray a, HostArray x, int i) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            sum += (double) a.getFloat((long) i * n + j) * x.getFloat(j);
        }
        return sum;
    }

    private static double column(int n, HostArray a, HostArray x, int j) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += (double) a.getFloat((long) i * n + j) * x.getFloat(i);
        }
        return sum;
    }

    private static SuiteProblem ataxProblem(int n) {
        HostArray a = SuiteData.floats(1, n * n, -1, 1);
        HostArray x = SuiteData.floats(2, n, -1, 1);
        HostArray ax = SuiteData.floats(n);
        HostArray y = SuiteData.floats(n);
        return new SuiteProblem(
                List.of(a, x, ax, y),
                List.of(
                        new Step("rows", SuiteData.threads(n, THREADS), n, a, x, ax),
                        new Step("columns", SuiteData.threads(n, THREADS), n, a, ax, y)),
                () -> Math.max(
                        SuiteData.error(n, ax::getFloat, i -> row(n, a, x, i)),
                        SuiteData.error(n, y::getFloat, j -> column(n, a, ax, j))));
    }

    /** Both products of bicg: threads of the first half have rows, the others columns. */
    @Kernel
    static void bicg(
            int n, @Restrict F32Ptr a, @Restrict F32Ptr p, @Restrict F32Ptr r, @Restrict F32Ptr q, @Restrict F32Ptr s) {
        int i = GlobalIdx.x();
        float sum = 0;
        if (i < n) {
            for (int j = 0; j < n; j++) {
                sum += a.get(i * n + j) * p.get(j);
            }
            q.set(i, sum);
        } else if (i < 2 * n) {
            int j = i - n;
            for (int k = 0; k < n; k++) {
                sum += a.get(k * n + j) * r.get(k);
            }
            s.set(j, sum);
        }
    }

    private static SuiteProblem bicgProblem(int n) {
        HostArray a = SuiteData.floats(1, n * n, -1, 1);
        HostArray p = SuiteData.floats(2, n, -1, 1);
        HostArray r = SuiteData.floats(3, n, -1, 1);
        HostArray q = SuiteData.floats(n);
        HostArray s = SuiteData.floats(n);
        return new SuiteProblem(
                List.of(a, p, r, q, s),
                List.of(new Step("bicg", SuiteData.threads(2 * n, THREADS), n, a, p, r, q, s)),
                () -> Math.max(
                        SuiteData.error(n, q::getFloat, i -> row(n, a, p, i)),
                        SuiteData.error(n, s::getFloat, j -> column(n, a, r, j))));
    }

    /** {@code x += a y}, a row for each warp. */
    @Kernel
    static void mvt(int n, F32Ptr a, F32Ptr y, F32Ptr x) {
        int i = GlobalIdx.x() / Warp.SIZE;
        int lane = ThreadIdx.x() % Warp.SIZE;
        if (i < n) {
            float sum = 0;
            for (int j = lane; j < n; j += Warp.SIZE) {
                sum += a.get(i * n + j) * y.get(j);
            }
            for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
                sum += Warp.shuffleDown(sum, by);
            }
            if (lane == 0) {
                x.set(i, x.get(i) + sum);
            }
        }
    }

    private static SuiteProblem mvtProblem(int n) {
        HostArray a = SuiteData.floats(1, n * n, -1, 1);
        HostArray y = SuiteData.floats(2, n, -1, 1);
        HostArray x = SuiteData.floats(3, n, -1, 1);
        float[] before = x.toFloatArray();
        return new SuiteProblem(
                List.of(a, y, x),
                List.of(new Step("mvt", SuiteData.threads(n * Warp.SIZE, THREADS), n, a, y, x)),
                () -> SuiteData.error(n, x::getFloat, i -> before[i] + row(n, a, y, i)));
    }

    /** {@code y = alpha a x + beta b x}. */
    @Kernel
    static void gesummv(int n, float alpha, float beta, F32Ptr a, F32Ptr b, F32Ptr x, F32Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            float sumA = 0;
            float sumB = 0;
            for (int j = 0; j < n; j++) {
                sumA += a.get(i * n + j) * x.get(j);
                sumB += b.get(i * n + j) * x.get(j);
            }
            y.set(i, alpha * sumA + beta * sumB);
        }
    }

    private static SuiteProblem gesummvProblem(int n) {
        HostArray a = SuiteData.floats(1, n * n, -1, 1);
        HostArray b = SuiteData.floats(2, n * n, -1, 1);
        HostArray x = SuiteData.floats(3, n, -1, 1);
        HostArray y = SuiteData.floats(n);
        return new SuiteProblem(
                List.of(a, b, x, y),
                List.of(new Step("gesummv", SuiteData.threads(n, THREADS), n, 1.5f, 0.5f, a, b, x, y)),
                () -> SuiteData.error(n, y::getFloat, i -> 1.5 * row(n, a, x, i) + 0.5 * row(n, b, x, i)));
    }

    /** A sparse matrix in rows (CSR) times a vector, a row for each warp. */
    @Kernel
    static void spmv(int n, I32Ptr starts, I32Ptr columns, F32Ptr values, F32Ptr x, F32Ptr y) {
        int row = GlobalIdx.x() / Warp.SIZE;
        int lane = ThreadIdx.x() & Warp.SIZE - 1;
        if (row < n) {
            float sum = 0;
            int end = starts.get(row + 1);
            for (int i = starts.get(row) + lane; i < end; i += Warp.SIZE) {
                sum += values.get(i) * x.get(columns.get(i));
            }
            for (int by = Warp.SIZE / 2; by > 0; by >>= 1) {
                sum += Warp.shuffleXor(sum, by);
            }
            if (lane == 0) {
                y.set(row, sum);
            }
        }
    }

    private static SuiteProblem spmvProblem(int n) {
        int[] first = new int[n + 1];
        for (int i = 0; i < n; i++) {
            first[i + 1] = first[i] + (int) (SuiteData.bits(9, i) >>> 58);
        }
        HostArray starts = HostArray.of(first);
        HostArray columns = SuiteData.ints(1, first[n], n);
        HostArray values = SuiteData.floats(2, first[n], -1, 1);
        HostArray x = SuiteData.floats(3, n, -1, 1);
        HostArray y = SuiteData.floats(n);
        return new SuiteProblem(
                List.of(starts, columns, values, x, y),
                List.of(new Step("spmv", SuiteData.threads(n * Warp.SIZE, THREADS), n, starts, columns, values, x, y)),
                () -> SuiteData.error(n, y::getFloat, row -> {
                    double sum = 0;
                    for (int i = first[row]; i < first[row + 1]; i++) {
                        sum += (double) values.getFloat(i) * x.getFloat(columns.getInt(i));
                    }
                    return sum;
                }));
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("atax", Vectors.class, 70, 4096, 1e-3, Vectors::ataxProblem),
                new SuiteCase("bicg", Vectors.class, 70, 4096, 1e-4, Vectors::bicgProblem),
                new SuiteCase("mvt", Vectors.class, 37, 8192, 1e-4, Vectors::mvtProblem),
                new SuiteCase("gesummv", Vectors.class, 70, 4096, 1e-4, Vectors::gesummvProblem),
                new SuiteCase("spmv-csr", Vectors.class, 70, 1 << 20, 1e-4, Vectors::spmvProblem));
    }
}
