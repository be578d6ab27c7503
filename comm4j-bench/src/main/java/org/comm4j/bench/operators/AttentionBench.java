// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Locale;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.Swizzle;
import org.comm4j.kernel.lang.TensorMap;

/** The measurement of {@code comm4j bench attention}: {@link FlashAttention} on one GPU. */
public final class AttentionBench implements AutoCloseable {
    private static final int HEAD = FlashAttention.HEAD;

    private final Device device;
    private final GpuDuel duel;

    /**
     * Makes the measurement; closing it leaves the device open.
     *
     * @param rounds of which the median counts
     * @param millis that the calls of a round take together, about
     */
    public AttentionBench(Device device, int rounds, int millis) {
        this.device = device;
        duel = new GpuDuel(device, rounds, millis);
    }

    /** Returns the lines above the results. */
    public String header() {
        return "# " + device.name() + ", bf16, heads of " + HEAD + "\n"
                + "#  length  heads  causal  turns          us  TFLOP/s    worst";
    }

    /**
     * Returns the line of a case.
     *
     * @param length queries and keys of a head, a multiple of {@link FlashAttention#TILE}
     * @param turns whether warpgroups take turns in starting products
     */
    public String measure(int heads, int length, boolean causal, boolean turns) {
        if (heads < 1 || length < 1 || length % FlashAttention.TILE != 0) {
            throw new IllegalArgumentException("attention of " + heads + " heads of " + length
                    + " queries: at least one head, and a multiple of " + FlashAttention.TILE + " queries");
        }
        long count = (long) heads * length * HEAD;
        float scale = (float) (1 / Math.sqrt(HEAD));
        try (DeviceArray q = duel.random(DataType.BFLOAT16, count, 1);
                DeviceArray k = duel.random(DataType.BFLOAT16, count, 2);
                DeviceArray v = duel.random(DataType.BFLOAT16, count, 3);
                DeviceArray out = device.allocate(DataType.BFLOAT16, count);
                DeviceArray maps = device.allocate(DataType.INT8, 3L * TensorMap.BYTES);
                KernelCompiler<GpuKernel> compiler = KernelCompiler.of(device, CompileOptions.DEFAULT.withSuffix("a"));
                GpuKernel kernel = compiler.compile(
                        KernelMethod.named(FlashAttention.class, "forward"), causal ? 1 : 0, turns ? 1 : 0)) {
            PreparedLaunch launch = kernel.prepare(
                    config(heads, length), map(maps, 0, q), map(maps, 1, k), map(maps, 2, v), length, scale, out);
            double millis = duel.measure(() -> launch.launch(duel.stream()));
            double flops = 4.0 * heads * length * length * HEAD * (causal ? 0.5 : 1);
            return String.format(
                    Locale.ROOT,
                    "%9d %6d %7s %6s %11.1f %8.1f %8.2g",
                    length,
                    heads,
                    causal ? "yes" : "no",
                    turns ? "yes" : "no",
                    millis * 1e3,
                    flops / millis * 1e-9,
                    worst(q, k, v, out, length, scale, causal));
        }
    }

    /** The launch for all tiles of all heads. */
    static LaunchConfig config(int heads, int length) {
        return LaunchConfig.grid(length / FlashAttention.TILE, heads)
                .block(FlashAttention.THREADS)
                .shared(FlashAttention.SHARED_BYTES);
    }

    /** The map of Q, K or V for {@link FlashAttention#forward}. */
    static TensorMap map(Buffer maps, int index, Buffer rows) {
        long[] shape = {HEAD, rows.count() / HEAD};
        return TensorMap.of(maps, index, rows, shape, new int[] {64, FlashAttention.TILE}, Swizzle.B128);
    }

    /** The largest error of some queries of the first and the last head. */
    private static double worst(
            DeviceArray q, DeviceArray k, DeviceArray v, DeviceArray out, int length, float scale, boolean causal) {
        long heads = q.count() / HEAD / length;
        double most = 0;
        for (long head = 0; head < heads; head += Math.max(1, heads - 1)) {
            long first = head * length * HEAD;
            HostArray keys = host(k, first, (long) length * HEAD);
            HostArray values = host(v, first, (long) length * HEAD);
            for (int query = 0; query < length; query += Math.max(1, (length - 1) / 4)) {
                long row = first + (long) query * HEAD;
                double[] expected =
                        expected(host(q, row, HEAD), 0, keys, values, 0, causal ? query + 1 : length, scale);
                HostArray found = host(out, row, HEAD);
                for (int i = 0; i < HEAD; i++) {
                    most = Math.max(
                            most, Math.abs(expected[i] - BF16Ptr.of(found).get(i)));
                }
            }
        }
        return most;
    }

    private static HostArray host(DeviceArray array, long first, long count) {
        return array.slice(first, count).toHost();
    }

    /**
     * Attention of one query, in double.
     *
     * @param query number of its first element in {@code q}
     * @param first number of the head's first element in {@code k} and {@code v}
     * @param count keys that it sees
     */
    static double[] expected(HostArray q, long query, HostArray k, HostArray v, long first, int count, double scale) {
        double[] weights = new double[count];
        double most = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < count; j++) {
            for (int e = 0; e < HEAD; e++) {
                weights[j] +=
                        (double) BF16Ptr.of(q).get(query + e) * BF16Ptr.of(k).get(first + (long) j * HEAD + e);
            }
            most = Math.max(most, weights[j]);
        }
        double total = 0;
        double[] sums = new double[HEAD];
        for (int j = 0; j < count; j++) {
            double weight = Math.exp(scale * (weights[j] - most));
            total += weight;
            for (int e = 0; e < HEAD; e++) {
                sums[e] += weight * BF16Ptr.of(v).get(first + (long) j * HEAD + e);
            }
        }
        for (int e = 0; e < HEAD; e++) {
            sums[e] /= total;
        }
        return sums;
    }

    @Override
    public void close() {
        duel.close();
    }
}
