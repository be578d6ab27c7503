// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;

/**
 * Times of two ways to compute the same on one GPU. Rounds of both alternate; the median counts, since the clock of a
 * GPU under such load depends on its temperature.
 */
final class GpuDuel implements AutoCloseable {
    /** Not a power of two, so that rows differ. */
    private static final long PERIOD = 8_388_593;

    private final Device device;
    private final Stream stream;
    private final Event begin;
    private final Event end;
    private final int rounds;
    private final int millis;

    /** Times of a call, in milliseconds. */
    record Times(double ours, double theirs) {}

    /**
     * Makes the clock; closing it leaves the device open.
     *
     * @param rounds of which the median counts
     * @param millis that the calls of a round take together, about
     */
    GpuDuel(Device device, int rounds, int millis) {
        CaseTimer.check(rounds, millis);
        this.device = device;
        this.rounds = rounds;
        this.millis = millis;
        stream = device.newStream();
        begin = device.newTimingEvent();
        end = device.newTimingEvent();
    }

    /** The stream in which both compute. */
    Stream stream() {
        return stream;
    }

    /** Measures both. */
    Times measure(Runnable ours, Runnable theirs) {
        int calls = (int) Math.max(1, millis / Math.max(1e-3, Math.max(time(1, ours), time(1, theirs))));
        double[] mine = new double[rounds];
        double[] other = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            mine[i] = time(calls, ours);
            other[i] = time(calls, theirs);
        }
        return new Times(median(mine), median(other));
    }

    /** Measures one way: the median of the rounds, in milliseconds of a call. */
    double measure(Runnable call) {
        int calls = (int) Math.max(1, millis / Math.max(1e-3, time(1, call)));
        double[] times = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            times[i] = time(calls, call);
        }
        return median(times);
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

    /**
     * Numbers between -1 and 1, which repeat after some millions: what a GPU consumes, and so its clock, depends on
     * them.
     */
    DeviceArray random(DataType type, long count, int seed) {
        long period = Math.min(count, PERIOD);
        HostArray host = HostArray.allocate(type, period);
        SplittableRandom random = new SplittableRandom(seed);
        for (long i = 0; i < period; i++) {
            float value = (float) random.nextDouble(-1, 1);
            switch (type) {
                case FLOAT16 -> host.segment().set(JAVA_SHORT, 2 * i, Float.floatToFloat16(value));
                case BFLOAT16 -> host.segment().set(JAVA_SHORT, 2 * i, SmallFloats.floatToBfloat16(value));
                case FLOAT8_E4M3 -> F8E4M3Ptr.of(host).set(i, value);
                default -> F8E5M2Ptr.of(host).set(i, value);
            }
        }
        DeviceArray array = device.allocate(type, count);
        for (long at = 0; at < count; at += period) {
            long part = Math.min(period, count - at);
            array.slice(at, part).copyFrom(host.slice(0, part));
        }
        return array;
    }

    /** The largest difference in some elements, relative to the largest of them. */
    static double difference(DeviceArray ours, DeviceArray theirs) {
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
