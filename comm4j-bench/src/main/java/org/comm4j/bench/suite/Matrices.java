// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels of products and factors of matrices, stored by rows. */
final class Matrices {
    private static final int TILE = 16;
    private static final int LU = 32;
    private static final int X = 32;
    private static final int Y = 8;

    private Matrices() {}

    /** {@code c = alpha a b + beta c} by tiles in shared memory. */
    @Kernel
    static void gemm(int n, float alpha, float beta, F32Ptr a, F32Ptr b, F32Ptr c) {
        float[] tileA = Shared.f32(TILE * TILE);
        float[] tileB = Shared.f32(TILE * TILE);
        int tx = ThreadIdx.x();
        int ty = ThreadIdx.y();
        int row = BlockIdx.y() * TILE + ty;
        int column = BlockIdx.x() * TILE + tx;
        float sum = 0;
        for (int from = 0; from < n; from += TILE) {
            tileA[ty * TILE + tx] = a.get(row * n + from + tx);
            tileB[ty * TILE + tx] = b.get((from + ty) * n + column);
            Block.sync();
            for (int k = 0; k < TILE; k++) {
                sum += tileA[ty * TILE + k] * tileB[k * TILE + tx];
            }
            Block.sync();
        }
        c.set(row * n + column, alpha * sum + beta * c.get(row * n + column));
    }

    private static double product(int n, HostArray a, HostArray b, int at) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += (double) a.getFloat((long) at / n * n + k) * b.getFloat((long) k * n + at % n);
        }
        return sum;
    }

    private static SuiteProblem gemmProblem(int n) {
        HostArray a = SuiteData.floats(1, n * n, -1, 1);
        HostArray b = SuiteData.floats(2, n * n, -1, 1);
        HostArray c = SuiteData.floats(3, n * n, -1, 1);
        float[] before = c.toFloatArray();
        return new SuiteProblem(
                List.of(a, b, c),
                List.of(new Step("gemm", SuiteData.threads(n, n, TILE, TILE), n, 1.5f, 0.5f, a, b, c)),
                () -> SuiteData.error(n * n, c::getFloat, i -> 1.5 * product(n, a, b, i) + 0.5 * before[i]));
    }

    /** {@code c = a b}, an element for each thread. */
    @Kernel
    static void multiply(int n, F32Ptr a, F32Ptr b, F32Ptr c) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < n && j < n) {
            float sum = 0;
            for (int k = 0; k < n; k++) {
                sum += a.get(i * n + k) * b.get(k * n + j);
            }
            c.set(i * n + j, sum);
        }
    }

    private static SuiteProblem twoProducts(int n) {
        HostArray a = SuiteData.floats(1, n * n, -1, 1);
        HostArray b = SuiteData.floats(2, n * n, -1, 1);
        HostArray c = SuiteData.floats(3, n * n, -1, 1);
        HostArray ab = SuiteData.floats(n * n);
        HostArray abc = SuiteData.floats(n * n);
        LaunchConfig config = SuiteData.threads(n, n, X, Y);
        return new SuiteProblem(
                List.of(a, b, c, ab, abc),
                List.of(new Step("multiply", config, n, a, b, ab), new Step("multiply", config, n, ab, c, abc)),
                () -> Math.max(
                        SuiteData.error(n * n, ab::getFloat, i -> product(n, a, b, i)),
                        SuiteData.error(n * n, abc::getFloat, i -> product(n, ab, c, i))));
    }

    /** The lower triangle of {@code c = alpha a aT + beta c}. */
    @Kernel
    static void syrk(int n, int depth, float alpha, float beta, @Restrict F32Ptr a, @Restrict F32Ptr c) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < n && j <= i) {
            float sum = beta * c.get(i * n + j);
            for (int k = 0; k < depth; k++) {
                sum += alpha * a.get(i * depth + k) * a.get(j * depth + k);
            }
            c.set(i * n + j, sum);
        }
    }

    private static SuiteProblem syrkProblem(int n) {
        int depth = n / 2;
        HostArray a = SuiteData.floats(1, n * depth, -1, 1);
        HostArray c = SuiteData.floats(2, n * n, -1, 1);
        float[] before = c.toFloatArray();
        return new SuiteProblem(
                List.of(a, c),
                List.of(new Step("syrk", SuiteData.threads(n, n, X, Y), n, depth, 1.5f, 0.5f, a, c)),
                () -> SuiteData.error(n * n, c::getFloat, at -> {
                    int i = at / n;
                    int j = at % n;
                    if (j > i) {
                        return before[at];
                    }
                    double sum = 0.5 * before[at];
                    for (int k = 0; k < depth; k++) {
                        sum += 1.5 * a.getFloat((long) i * depth + k) * a.getFloat((long) j * depth + k);
                    }
                    return sum;
                }));
    }

    /** Factors of small matrices, one for each block, without pivots. */
    @Kernel
    static void lud(F32Ptr in, F32Ptr out) {
        float[] tile = Shared.f32(LU * (LU + 1));
        int t = ThreadIdx.x();
        int first = BlockIdx.x() * LU * LU;
        for (int i = 0; i < LU; i++) {
            tile[i * (LU + 1) + t] = in.get(first + i * LU + t);
        }
        Block.sync();
        for (int k = 0; k < LU - 1; k++) {
            if (t > k) {
                float factor = tile[t * (LU + 1) + k] / tile[k * (LU + 1) + k];
                tile[t * (LU + 1) + k] = factor;
                for (int j = k + 1; j < LU; j++) {
                    tile[t * (LU + 1) + j] -= factor * tile[k * (LU + 1) + j];
                }
            }
            Block.sync();
        }
        for (int i = 0; i < LU; i++) {
            out.set(first + i * LU + t, tile[i * (LU + 1) + t]);
        }
    }

    private static SuiteProblem ludProblem(int matrices) {
        int size = LU * LU;
        HostArray in = SuiteData.floats(1, matrices * size, 0, 1);
        for (int i = 0; i < matrices * LU; i++) {
            in.setFloat((long) i * LU + i % LU, 20);
        }
        HostArray out = SuiteData.floats(matrices * size);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("lud", LaunchConfig.grid(matrices).block(LU), in, out)),
                // The product of both factors is the matrix.
                () -> SuiteData.error(
                        matrices * size,
                        at -> {
                            int first = at / size * size;
                            int i = at % size / LU;
                            int j = at % LU;
                            double sum = 0;
                            for (int k = 0; k <= Math.min(i, j); k++) {
                                double lower = k == i ? 1 : out.getFloat(first + (long) i * LU + k);
                                sum += lower * out.getFloat(first + (long) k * LU + j);
                            }
                            return sum;
                        },
                        in::getFloat));
    }

    /** A step of Gauss' elimination: of each row below {@code k} a multiple of that row is subtracted. */
    @Kernel
    static void eliminate(int n, int k, F32Ptr a, F32Ptr out) {
        int j = GlobalIdx.x() + k;
        int i = GlobalIdx.y() + k + 1;
        if (i < n && j < n) {
            float factor = a.get(i * n + k) / a.get(k * n + k);
            out.set(i * n + j, a.get(i * n + j) - factor * a.get(k * n + j));
        }
    }

    private static SuiteProblem gaussianProblem(int n) {
        HostArray a = SuiteData.floats(1, n * n, 1, 2);
        HostArray out = SuiteData.floats(n * n);
        return new SuiteProblem(
                List.of(a, out),
                List.of(new Step("eliminate", SuiteData.threads(n, n, X, Y), n, 2, a, out)),
                () -> SuiteData.error(n * n, out::getFloat, at -> {
                    int i = at / n;
                    int j = at % n;
                    double factor = (double) a.getFloat((long) i * n + 2) / a.getFloat(2L * n + 2);
                    return i > 2 && j >= 2 ? a.getFloat(at) - factor * a.getFloat(2L * n + j) : 0;
                }));
    }

    /** Ways through the node {@code k}. */
    @Kernel
    static void floydWarshall(int n, int k, I32Ptr distance) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < n && j < n) {
            int through = distance.get(i * n + k) + distance.get(k * n + j);
            if (through < distance.get(i * n + j)) {
                distance.set(i * n + j, through);
            }
        }
    }

    private static SuiteProblem floydWarshallProblem(int n) {
        HostArray distance = SuiteData.ints(1, n * n, 1000);
        int[] before = distance.toIntArray();
        return new SuiteProblem(
                List.of(distance),
                IntStream.range(0, 4)
                        .mapToObj(k -> new Step("floydWarshall", SuiteData.threads(n, n, X, Y), n, k, distance))
                        .toList(),
                () -> {
                    int[] expected = before.clone();
                    for (int k = 0; k < 4; k++) {
                        for (int i = 0; i < n; i++) {
                            for (int j = 0; j < n; j++) {
                                expected[i * n + j] =
                                        Math.min(expected[i * n + j], expected[i * n + k] + expected[k * n + j]);
                            }
                        }
                    }
                    return SuiteData.error(distance, expected);
                });
    }

    /** Each column's mean and standard deviation. */
    @Kernel
    static void moments(int rows, int columns, F32Ptr data, F32Ptr means, F32Ptr deviations) {
        int j = GlobalIdx.x();
        if (j < columns) {
            float sum = 0;
            for (int i = 0; i < rows; i++) {
                sum += data.get(i * columns + j);
            }
            float mean = sum / rows;
            float squares = 0;
            for (int i = 0; i < rows; i++) {
                squares += (data.get(i * columns + j) - mean) * (data.get(i * columns + j) - mean);
            }
            float deviation = (float) Math.sqrt(squares / rows);
            means.set(j, mean);
            deviations.set(j, deviation <= 0.005f ? 1 : deviation);
        }
    }

    /** Correlates columns. */
    @Kernel
    static void correlation(int rows, int columns, F32Ptr data, F32Ptr means, F32Ptr deviations, F32Ptr out) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < columns && j < columns) {
            float sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += (data.get(k * columns + i) - means.get(i)) * (data.get(k * columns + j) - means.get(j));
            }
            out.set(i * columns + j, sum / (rows * deviations.get(i) * deviations.get(j)));
        }
    }

    private static SuiteProblem correlationProblem(int columns) {
        int rows = columns + 3;
        HostArray data = SuiteData.floats(1, rows * columns, 0, 1);
        HostArray means = SuiteData.floats(columns);
        HostArray deviations = SuiteData.floats(columns);
        HostArray out = SuiteData.floats(columns * columns);
        return new SuiteProblem(
                List.of(data, means, deviations, out),
                List.of(
                        new Step("moments", SuiteData.threads(columns, 64), rows, columns, data, means, deviations),
                        new Step(
                                "correlation",
                                SuiteData.threads(columns, columns, X, Y),
                                rows,
                                columns,
                                data,
                                means,
                                deviations,
                                out)),
                () -> SuiteData.error(columns * columns, out::getFloat, at -> {
                    int i = at / columns;
                    int j = at % columns;
                    double[] s = new double[5];
                    for (int k = 0; k < rows; k++) {
                        double x = data.getFloat((long) k * columns + i);
                        double y = data.getFloat((long) k * columns + j);
                        s[0] += x;
                        s[1] += y;
                        s[2] += x * x;
                        s[3] += y * y;
                        s[4] += x * y;
                    }
                    double common = rows * s[4] - s[0] * s[1];
                    return common / Math.sqrt((rows * s[2] - s[0] * s[0]) * (rows * s[3] - s[1] * s[1]));
                }));
    }

    /** Each column's mean, in double. */
    @Kernel
    static void mean(int rows, int columns, F64Ptr data, F64Ptr means) {
        int j = GlobalIdx.x();
        if (j < columns) {
            double sum = 0;
            for (int i = 0; i < rows; i++) {
                sum += data.get(i * columns + j);
            }
            means.set(j, sum / rows);
        }
    }

    /** Covariances of columns, those of the lower triangle also above it. */
    @Kernel
    static void covariance(int rows, int columns, F64Ptr data, F64Ptr means, F64Ptr out) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        if (i < columns && j <= i) {
            double meanI = means.get(i);
            double meanJ = means.get(j);
            double sum = 0;
            for (int k = 0; k < rows; k++) {
                sum += (data.get(k * columns + i) - meanI) * (data.get(k * columns + j) - meanJ);
            }
            sum /= rows - 1;
            out.set(i * columns + j, sum);
            out.set(j * columns + i, sum);
        }
    }

    private static SuiteProblem covarianceProblem(int columns) {
        int rows = columns + 3;
        HostArray data = SuiteData.doubles(1, rows * columns);
        HostArray means = HostArray.allocate(DataType.FLOAT64, columns);
        HostArray out = HostArray.allocate(DataType.FLOAT64, (long) columns * columns);
        return new SuiteProblem(
                List.of(data, means, out),
                List.of(
                        new Step("mean", SuiteData.threads(columns, 64), rows, columns, data, means),
                        new Step(
                                "covariance",
                                SuiteData.threads(columns, columns, X, Y),
                                rows,
                                columns,
                                data,
                                means,
                                out)),
                () -> SuiteData.error(columns * columns, out::getDouble, at -> {
                    double x = 0;
                    double y = 0;
                    double xy = 0;
                    for (int k = 0; k < rows; k++) {
                        x += data.getDouble((long) k * columns + at / columns);
                        y += data.getDouble((long) k * columns + at % columns);
                        xy += data.getDouble((long) k * columns + at / columns)
                                * data.getDouble((long) k * columns + at % columns);
                    }
                    return (xy - x * y / rows) / (rows - 1);
                }));
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("gemm", Matrices.class, 32, 1024, 1e-4, Matrices::gemmProblem),
                new SuiteCase("2mm", Matrices.class, 21, 1024, 1e-3, Matrices::twoProducts),
                new SuiteCase("syrk", Matrices.class, 21, 1024, 1e-4, Matrices::syrkProblem),
                new SuiteCase("lud", Matrices.class, 3, 16384, 1e-5, Matrices::ludProblem),
                new SuiteCase("gaussian", Matrices.class, 21, 4096, 1e-5, Matrices::gaussianProblem),
                new SuiteCase("floyd-warshall", Matrices.class, 21, 4096, 0, Matrices::floydWarshallProblem),
                new SuiteCase("correlation", Matrices.class, 21, 768, 1e-4, Matrices::correlationProblem),
                new SuiteCase("covariance", Matrices.class, 21, 768, 1e-12, Matrices::covarianceProblem));
    }
}
