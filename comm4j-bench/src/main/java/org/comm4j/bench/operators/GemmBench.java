// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cublas.LibCublas;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.comm4j.math.Gemm;
import org.comm4j.math.Transpose;

/**
 * The measurement of {@code comm4j bench matmul} for types of 16 and 8 bits: square products by {@link Gemm} on the tensor
 * cores of one GPU, beside cuBLASLt's of the same matrices in the same stream. Rounds of both alternate; the median
 * counts, since the clock of a GPU under such load depends on its temperature.
 */
public final class GemmBench implements AutoCloseable {
    private final Device device;
    private final Stream stream;
    private final Event begin;
    private final Event end;
    private final int rounds;
    private final int millis;

    /**
     * Makes the measurement; closing it leaves the device open.
     *
     * @param rounds of which the median counts
     * @param millis that the calls of a round take together, about
     */
    public GemmBench(Device device, int rounds, int millis) {
        CaseTimer.check(rounds, millis);
        this.device = device;
        this.rounds = rounds;
        this.millis = millis;
        stream = device.newStream();
        begin = device.newTimingEvent();
        end = device.newTimingEvent();
    }

    /** Returns the lines above the results. */
    public String header() {
        return "# " + device.name() + ", cuBLAS " + LibCublas.library().version() + "\n"
                + "#    n type          form C            Java us  TFLOP/s    cuBLASLt us TFLOP/s   share    worst";
    }

    /** Returns the line of a product of n × n matrices, A and B stored as {@code form} says: {@code NN}, {@code NT}. */
    public String measure(int n, DataType type, DataType result, Transpose a, Transpose b, Gemm.Schedule schedule) {
        long count = (long) n * n;
        try (DeviceArray left = random(type, count, 1);
                DeviceArray right = random(type, count, 2);
                DeviceArray ours = device.allocate(result, count);
                DeviceArray theirs = device.allocate(result, count);
                CublasLtProduct product = new CublasLtProduct(n, n, n, a, b, left, right, theirs);
                Gemm gemm = Gemm.plan(a, b, n, n, n, 1, left, right, 0, ours, schedule)) {
            PreparedLaunch launch = gemm.prepare();
            Runnable cublas = () -> product.run(stream);
            Runnable java = () -> launch.launch(stream);
            int calls = (int) Math.max(1, millis / Math.max(1e-3, Math.max(time(1, java), time(1, cublas))));
            double[] java0 = new double[rounds];
            double[] cublas0 = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                java0[i] = time(calls, java);
                cublas0[i] = time(calls, cublas);
            }
            double mine = median(java0);
            double other = median(cublas0);
            double flops = 2.0 * n * n * n;
            return String.format(
                    Locale.ROOT,
                    "%6d %-13s %-4s %-10s %10.1f %8.1f %12.1f %8.1f %7.3f %8.2g",
                    n,
                    type,
                    letter(a) + letter(b),
                    result,
                    mine * 1e3,
                    flops / mine * 1e-9,
                    other * 1e3,
                    flops / other * 1e-9,
                    other / mine,
                    difference(ours, theirs));
        }
    }

    private static String letter(Transpose transpose) {
        return transpose == Transpose.NONE ? "N" : "T";
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** Milliseconds of a call. */
    private double time(int calls, Runnable call) {
        stream.record(begin);
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        stream.record(end);
        end.synchronize();
        return end.millisSince(begin) / (double) calls;
    }

    /** Numbers between -1 and 1: what a GPU consumes, and so its clock, depends on them. */
    private DeviceArray random(DataType type, long count, int seed) {
        HostArray host = HostArray.allocate(type, count);
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < count; i++) {
            float value = (float) random.nextDouble(-1, 1);
            switch (type) {
                case FLOAT16 -> host.segment().set(JAVA_SHORT, 2 * i, Float.floatToFloat16(value));
                case BFLOAT16 -> host.segment().set(JAVA_SHORT, 2 * i, SmallFloats.floatToBfloat16(value));
                case FLOAT8_E4M3 -> F8E4M3Ptr.of(host).set(i, value);
                default -> F8E5M2Ptr.of(host).set(i, value);
            }
        }
        DeviceArray array = device.allocate(type, count);
        array.copyFrom(host);
        return array;
    }

    /** The largest difference in some elements, relative to the largest of them. */
    private static double difference(DeviceArray ours, DeviceArray theirs) {
        HostArray x = HostArray.allocate(ours.type(), ours.count());
        HostArray y = HostArray.allocate(ours.type(), ours.count());
        ours.copyTo(x);
        theirs.copyTo(y);
        double most = 0;
        double largest = 1e-30;
        for (long i = 0; i < x.count(); i += 97) {
            most = Math.max(most, Math.abs(value(x, i) - value(y, i)));
            largest = Math.max(largest, Math.abs(value(y, i)));
        }
        return most / largest;
    }

    private static double value(HostArray array, long i) {
        return switch (array.type()) {
            case FLOAT16 -> Float.float16ToFloat(array.segment().get(JAVA_SHORT, 2 * i));
            case BFLOAT16 -> SmallFloats.bfloat16ToFloat(array.segment().get(JAVA_SHORT, 2 * i));
            default -> array.getFloat(i);
        };
    }

    @Override
    public void close() {
        begin.close();
        end.close();
        stream.close();
    }
}
