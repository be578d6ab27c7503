// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.List;
import org.comm4j.bench.suite.SuiteProblem.Step;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Half2;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Warp;

/** Kernels whose time is in functions and arithmetic. */
final class Functions {
    private static final int THREADS = 256;
    private static final int WARPS = THREADS / Warp.SIZE;

    private Functions() {}

    /** Softmax of each row in one pass for maximum and sum, a block for each row. */
    @Kernel
    static void softmax(int columns, F32Ptr in, F32Ptr out) {
        float[] maxima = Shared.f32(WARPS);
        float[] sums = Shared.f32(WARPS);
        int t = ThreadIdx.x();
        int row = BlockIdx.x() * columns;
        float max = Float.NEGATIVE_INFINITY;
        float sum = 0;
        for (int i = t; i < columns; i += BlockDim.x()) {
            float x = in.get(row + i);
            float next = Math.max(max, x);
            sum = sum * (float) Math.exp(max - next) + (float) Math.exp(x - next);
            max = next;
        }
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            float otherMax = Warp.shuffleXor(max, by);
            float otherSum = Warp.shuffleXor(sum, by);
            float next = Math.max(max, otherMax);
            sum = sum * (float) Math.exp(max - next) + otherSum * (float) Math.exp(otherMax - next);
            max = next;
        }
        if (t % Warp.SIZE == 0) {
            maxima[t / Warp.SIZE] = max;
            sums[t / Warp.SIZE] = sum;
        }
        Block.sync();
        max = maxima[0];
        sum = sums[0];
        for (int i = 1; i < WARPS; i++) {
            float next = Math.max(max, maxima[i]);
            sum = sum * (float) Math.exp(max - next) + sums[i] * (float) Math.exp(maxima[i] - next);
            max = next;
        }
        for (int i = t; i < columns; i += BlockDim.x()) {
            out.set(row + i, (float) Math.exp(in.get(row + i) - max) / sum);
        }
    }

    private static SuiteProblem softmaxProblem(int rows) {
        int columns = Math.max(rows, THREADS);
        HostArray in = SuiteData.floats(1, rows * columns, -5, 5);
        HostArray out = SuiteData.floats(rows * columns);
        return new SuiteProblem(
                List.of(in, out),
                List.of(new Step("softmax", LaunchConfig.grid(rows).block(THREADS), columns, in, out)),
                // Of some rows; larger by the number of columns, so that errors are of results of about 1.
                () -> {
                    double worst = 0;
                    for (int row = 0; row < rows; row += rows / 7 | 1) {
                        int first = row * columns;
                        double sum = 0;
                        for (int i = 0; i < columns; i++) {
                            sum += Math.exp(in.getFloat(first + i));
                        }
                        double all = sum;
                        worst = Math.max(
                                worst,
                                SuiteData.error(
                                        columns,
                                        i -> (double) columns * out.getFloat(first + i),
                                        i -> columns * Math.exp(in.getFloat(first + i)) / all));
                    }
                    return worst;
                });
    }

    /** The normal distribution's integral by Abramowitz and Stegun's polynomial 26.2.17. */
    private static float below(float d) {
        float k = 1 / (1 + 0.2316419f * Math.abs(d));
        float polynomial =
                k * (0.31938154f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302745f))));
        float tail = 0.3989423f * (float) Math.exp(-0.5f * d * d) * polynomial;
        return d > 0 ? 1 - tail : tail;
    }

    /** Prices of European options after Black and Scholes. */
    @Kernel
    static void blackScholes(
            int n, float rate, float volatility, F32Ptr price, F32Ptr strike, F32Ptr years, F32Ptr call, F32Ptr put) {
        int i = GlobalIdx.x();
        if (i < n) {
            float s = price.get(i);
            float x = strike.get(i);
            float t = years.get(i);
            float root = (float) Math.sqrt(t);
            float d1 = ((float) Math.log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
            float d2 = d1 - volatility * root;
            float below1 = below(d1);
            float below2 = below(d2);
            float discounted = x * (float) Math.exp(-rate * t);
            call.set(i, s * below1 - discounted * below2);
            put.set(i, discounted * (1 - below2) - s * (1 - below1));
        }
    }

    private static double exactCall(double s, double x, double t) {
        double d1 = (Math.log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * Math.sqrt(t));
        double d2 = d1 - 0.3 * Math.sqrt(t);
        return s * exactBelow(d1) - x * Math.exp(-0.02 * t) * exactBelow(d2);
    }

    private static double exactBelow(double d) {
        double k = 1 / (1 + 0.2316419 * Math.abs(d));
        double sum = 0;
        double[] factors = {1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153};
        for (double factor : factors) {
            sum = k * (factor + sum);
        }
        double tail = Math.exp(-0.5 * d * d) / Math.sqrt(2 * Math.PI) * sum;
        return d > 0 ? 1 - tail : tail;
    }

    private static SuiteProblem blackScholesProblem(int n) {
        HostArray price = SuiteData.floats(1, n, 5, 30);
        HostArray strike = SuiteData.floats(2, n, 1, 100);
        HostArray years = SuiteData.floats(3, n, 0.25f, 10);
        HostArray call = SuiteData.floats(n);
        HostArray put = SuiteData.floats(n);
        return new SuiteProblem(
                List.of(price, strike, years, call, put),
                List.of(new Step(
                        "blackScholes",
                        SuiteData.threads(n, THREADS),
                        n,
                        0.02f,
                        0.3f,
                        price,
                        strike,
                        years,
                        call,
                        put)),
                () -> Math.max(
                        SuiteData.error(
                                n,
                                call::getFloat,
                                i -> exactCall(price.getFloat(i), strike.getFloat(i), years.getFloat(i))),
                        // The difference of both is known without the distribution.
                        SuiteData.error(
                                n,
                                i -> put.getFloat(i) - call.getFloat(i),
                                i -> strike.getFloat(i) * Math.exp(-0.02 * years.getFloat(i)) - price.getFloat(i))));
    }

    private static float blockSum(float value, float[] ofWarps) {
        float sum = value;
        for (int by = Warp.SIZE / 2; by > 0; by /= 2) {
            sum += Warp.shuffleXor(sum, by);
        }
        if (ThreadIdx.x() % Warp.SIZE == 0) {
            ofWarps[ThreadIdx.x() / Warp.SIZE] = sum;
        }
        Block.sync();
        float all = 0;
        for (int i = 0; i < WARPS; i++) {
            all += ofWarps[i];
        }
        Block.sync();
        return all;
    }

    /** Normalised rows of 16-bit floats, two at once, a block for each row. */
    @Kernel
    static void layerNorm(int columns, F16Ptr in, F16Ptr gamma, F16Ptr beta, F16Ptr out) {
        float[] ofWarps = Shared.f32(WARPS);
        int row = BlockIdx.x() * columns;
        float sum = 0;
        for (int i = 2 * ThreadIdx.x(); i < columns; i += 2 * BlockDim.x()) {
            Half2 two = in.get2(row + i);
            sum += two.low().toFloat() + two.high().toFloat();
        }
        float mean = blockSum(sum, ofWarps) / columns;
        float squares = 0;
        for (int i = 2 * ThreadIdx.x(); i < columns; i += 2 * BlockDim.x()) {
            Half2 two = in.get2(row + i);
            float low = two.low().toFloat() - mean;
            float high = two.high().toFloat() - mean;
            squares += low * low + high * high;
        }
        float scale = 1 / (float) Math.sqrt(blockSum(squares, ofWarps) / columns + 1e-5f);
        for (int i = 2 * ThreadIdx.x(); i < columns; i += 2 * BlockDim.x()) {
            Half2 two = in.get2(row + i);
            Half2 factor = gamma.get2(i);
            Half2 summand = beta.get2(i);
            float low = (two.low().toFloat() - mean) * scale;
            float high = (two.high().toFloat() - mean) * scale;
            out.set2(
                    row + i,
                    Half2.of(
                            low * factor.low().toFloat() + summand.low().toFloat(),
                            high * factor.high().toFloat() + summand.high().toFloat()));
        }
    }

    private static SuiteProblem layerNormProblem(int rows) {
        int columns = 2 * Math.max(rows / 8, THREADS);
        HostArray in = SuiteData.floats(DataType.FLOAT16, 1, rows * columns, -1, 3);
        HostArray gamma = SuiteData.floats(DataType.FLOAT16, 2, columns, 0, 1);
        HostArray beta = SuiteData.floats(DataType.FLOAT16, 3, columns, 0, 1);
        HostArray out = HostArray.allocate(DataType.FLOAT16, (long) rows * columns);
        return new SuiteProblem(
                List.of(in, gamma, beta, out),
                List.of(new Step("layerNorm", LaunchConfig.grid(rows).block(THREADS), columns, in, gamma, beta, out)),
                () -> {
                    double worst = 0;
                    for (int row = 0; row < rows; row += rows / 7 | 1) {
                        int first = row * columns;
                        double sum = 0;
                        for (int i = 0; i < columns; i++) {
                            sum += in.getFloat(first + i);
                        }
                        double mean = sum / columns;
                        double squares = 0;
                        for (int i = 0; i < columns; i++) {
                            squares += Math.pow(in.getFloat(first + i) - mean, 2);
                        }
                        double deviation = Math.sqrt(squares / columns + 1e-5);
                        worst = Math.max(
                                worst,
                                SuiteData.error(
                                        columns,
                                        i -> out.getFloat(first + i),
                                        i -> (in.getFloat(first + i) - mean) / deviation * gamma.getFloat(i)
                                                + beta.getFloat(i)));
                    }
                    return worst;
                });
    }

    private static int escape(float cx, float cy, int most) {
        float x = 0;
        float y = 0;
        int count = 0;
        while (count < most && Math.fma(x, x, y * y) < 4) {
            float next = Math.fma(x, x, Math.fma(-y, y, cx));
            y = Math.fma(2 * x, y, cy);
            x = next;
            count++;
        }
        return count;
    }

    /** Counts the steps that each point needs to leave the circle of radius 2. */
    @Kernel
    static void mandelbrot(int side, int most, I32Ptr out) {
        int x = GlobalIdx.x();
        int y = GlobalIdx.y();
        if (x < side && y < side) {
            float step = 3f / side;
            out.set(y * side + x, escape(Math.fma(x, step, -2), Math.fma(y, step, -1.5f), most));
        }
    }

    private static SuiteProblem mandelbrotProblem(int side) {
        HostArray out = SuiteData.ints(side * side);
        int most = side > 100 ? 256 : 32;
        float step = 3f / side;
        return new SuiteProblem(
                List.of(out),
                List.of(new Step("mandelbrot", SuiteData.threads(side, side, 32, 8), side, most, out)),
                // FAST divides otherwise, so that a point at the border may go another way: the mean is compared.
                () -> {
                    double sum = 0;
                    double expected = 0;
                    for (int i = 0; i < side * side; i += 3) {
                        int x = i % side;
                        int y = i / side;
                        sum += out.getInt(i);
                        expected += escape(Math.fma(x, step, -2), Math.fma(y, step, -1.5f), most);
                    }
                    return Math.abs(sum / expected - 1);
                });
    }

    private static int next(int state) {
        int x = state;
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        return x;
    }

    /** Counts points of a quarter of a circle, of {@code tries} random ones for each thread. */
    @Kernel
    static void monteCarlo(int tries, I32Ptr inside) {
        int i = GlobalIdx.x();
        int state = i * 747796405 + 12345;
        state = state == 0 ? 1 : state;
        int count = 0;
        for (int k = 0; k < tries; k++) {
            state = next(state);
            float x = (state >>> 8) * 0x1p-24f;
            state = next(state);
            float y = (state >>> 8) * 0x1p-24f;
            count += Math.fma(x, x, y * y) < 1 ? 1 : 0;
        }
        inside.set(i, count);
    }

    private static SuiteProblem monteCarloProblem(int n) {
        int tries = n > 10_000 ? 512 : 16;
        HostArray inside = SuiteData.ints(n);
        return new SuiteProblem(
                List.of(inside),
                List.of(new Step("monteCarlo", SuiteData.threads(n, THREADS), tries, inside)),
                () -> SuiteData.error(n, inside::getInt, i -> {
                    int state = i * 747796405 + 12345;
                    state = state == 0 ? 1 : state;
                    int count = 0;
                    for (int k = 0; k < tries; k++) {
                        state = next(state);
                        float x = (state >>> 8) * 0x1p-24f;
                        state = next(state);
                        float y = (state >>> 8) * 0x1p-24f;
                        count += Math.fma(x, x, y * y) < 1 ? 1 : 0;
                    }
                    return count;
                }));
    }

    /** Marsaglia's xorwow, whose numbers become normally distributed ones after Box and Muller. */
    @Kernel
    static void xorwow(int each, F32Ptr out) {
        int i = GlobalIdx.x();
        int threads = BlockDim.x() * org.comm4j.kernel.lang.GridDim.x();
        int x = 123456789 + i;
        int y = 362436069 ^ i;
        int z = 521288629;
        int w = 88675123 + i * 31;
        int v = 5783321;
        int d = 6615241;
        for (int k = 0; k < each; k++) {
            int t = x ^ (x >>> 2);
            x = y;
            y = z;
            z = w;
            w = v;
            v = v ^ (v << 4) ^ t ^ (t << 1);
            d += 362437;
            float u1 = ((v + d >>> 8) + 1) * 0x1p-24f;
            t = x ^ (x >>> 2);
            x = y;
            y = z;
            z = w;
            w = v;
            v = v ^ (v << 4) ^ t ^ (t << 1);
            d += 362437;
            float u2 = (v + d >>> 8) * 0x1p-24f;
            float radius = (float) Math.sqrt(-2 * (float) Math.log(u1));
            out.set(k * threads + i, radius * (float) Math.cos(6.2831855f * u2));
        }
    }

    private static float plainXorwow(int i, int k) {
        int[] s = {123456789 + i, 362436069 ^ i, 521288629, 88675123 + i * 31, 5783321};
        int d = 6615241;
        int[] two = new int[2];
        for (int step = 0; step < 2 * k + 2; step++) {
            int t = s[0] ^ (s[0] >>> 2);
            System.arraycopy(s, 1, s, 0, 4);
            s[4] = s[4] ^ (s[4] << 4) ^ t ^ (t << 1);
            d += 362437;
            two[step % 2] = s[4] + d;
        }
        double u1 = ((two[0] >>> 8) + 1) * 0x1p-24;
        double u2 = (two[1] >>> 8) * 0x1p-24;
        return (float) (Math.sqrt(-2 * Math.log(u1)) * Math.cos(2 * Math.PI * u2));
    }

    private static SuiteProblem xorwowProblem(int n) {
        int each = 16;
        int threads = (n - 1) / THREADS * THREADS + THREADS;
        HostArray out = SuiteData.floats(threads * each);
        return new SuiteProblem(
                List.of(out),
                List.of(new Step("xorwow", SuiteData.threads(n, THREADS), each, out)),
                () -> SuiteData.error(threads * each, out::getFloat, i -> plainXorwow(i % threads, i / threads)));
    }

    static List<SuiteCase> cases() {
        return List.of(
                new SuiteCase("softmax", Functions.class, 40, 4096, 1e-4, Functions::softmaxProblem),
                new SuiteCase("black-scholes", Functions.class, 1000, 1 << 23, 1e-4, Functions::blackScholesProblem),
                new SuiteCase("layernorm-f16", Functions.class, 10, 16384, 2e-3, Functions::layerNormProblem),
                new SuiteCase("mandelbrot", Functions.class, 40, 4096, 1e-4, Functions::mandelbrotProblem),
                new SuiteCase("monte-carlo-pi", Functions.class, 768, 1 << 19, 0, Functions::monteCarloProblem),
                new SuiteCase("xorwow", Functions.class, 700, 1 << 20, 1e-4, Functions::xorwowProblem));
    }
}
