// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.math.Arrivals.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals in host memory, trace by trace: times are added where they are needed, which takes less memory and time than
 * reading a matrix, and a trace stays in the first-level cache.
 */
final class ArrivalLoops {
    private ArrivalLoops() {}

    /** Adds up what arrives in each trace. */
    static void spread(Arrivals arrivals, HostArray image, HostArray traces) {
        traces.segment().fill((byte) 0);
        run(arrivals, true, image, traces);
    }

    /** Adds up at each point the samples at which it arrives. */
    static void collect(Arrivals arrivals, HostArray traces, HostArray image) {
        image.segment().fill((byte) 0);
        run(arrivals, false, image, traces);
    }

    private static void run(Arrivals arrivals, boolean spread, HostArray image, HostArray traces) {
        boolean wide = Compute.real(image.type()) == DataType.FLOAT64;
        int parts = image.type().isComplex() ? 2 : 1;
        MemorySegment x = image.segment();
        MemorySegment y = traces.segment();
        long trace = 0;
        for (int s = 0; s < arrivals.sources(); s++) {
            for (int r = 0; r < arrivals.receivers(); r++) {
                for (int part = 0; part < parts; part++) {
                    long base = trace * parts + part;
                    if (wide && spread) {
                        spread64(arrivals, s, r, x, part, parts, y, base);
                    } else if (wide) {
                        collect64(arrivals, s, r, x, part, parts, y, base);
                    } else if (spread) {
                        spread32(arrivals, s, r, x, part, parts, y, base);
                    } else {
                        collect32(arrivals, s, r, x, part, parts, y, base);
                    }
                }
                trace += arrivals.samples();
            }
        }
    }

    /** The weight of an arrival; 0 if it is outside of the trace, NaN times included. */
    private static double weight(@Nullable Weight weight, double at, int last, int s, int r, int p) {
        return at >= 0 && at < last ? weight == null ? 1 : weight.of(s, r, p) : 0;
    }

    private static void spread64(
            Arrivals arrivals, int s, int r, MemorySegment x, int part, int step, MemorySegment y, long base) {
        double[] down = arrivals.down(s);
        double[] up = arrivals.up(r);
        double rate = arrivals.rate();
        Weight weight = arrivals.weight();
        int last = arrivals.samples() - 1;
        for (int p = 0; p < down.length; p++) {
            double at = (down[p] + up[p]) * rate;
            double factor = weight(weight, at, last, s, r, p);
            if (factor != 0) {
                int sample = (int) at;
                double value = factor * x.getAtIndex(JAVA_DOUBLE, (long) p * step + part);
                double later = (at - sample) * value;
                long to = base + (long) sample * step;
                y.setAtIndex(JAVA_DOUBLE, to, y.getAtIndex(JAVA_DOUBLE, to) + (value - later));
                y.setAtIndex(JAVA_DOUBLE, to + step, y.getAtIndex(JAVA_DOUBLE, to + step) + later);
            }
        }
    }

    private static void collect64(
            Arrivals arrivals, int s, int r, MemorySegment x, int part, int step, MemorySegment y, long base) {
        double[] down = arrivals.down(s);
        double[] up = arrivals.up(r);
        double rate = arrivals.rate();
        Weight weight = arrivals.weight();
        int last = arrivals.samples() - 1;
        for (int p = 0; p < down.length; p++) {
            double at = (down[p] + up[p]) * rate;
            double factor = weight(weight, at, last, s, r, p);
            if (factor != 0) {
                int sample = (int) at;
                long from = base + (long) sample * step;
                double first = y.getAtIndex(JAVA_DOUBLE, from);
                double second = y.getAtIndex(JAVA_DOUBLE, from + step);
                long to = (long) p * step + part;
                double old = x.getAtIndex(JAVA_DOUBLE, to);
                x.setAtIndex(JAVA_DOUBLE, to, old + factor * (first + (at - sample) * (second - first)));
            }
        }
    }

    private static void spread32(
            Arrivals arrivals, int s, int r, MemorySegment x, int part, int step, MemorySegment y, long base) {
        double[] down = arrivals.down(s);
        double[] up = arrivals.up(r);
        double rate = arrivals.rate();
        Weight weight = arrivals.weight();
        int last = arrivals.samples() - 1;
        for (int p = 0; p < down.length; p++) {
            double at = (down[p] + up[p]) * rate;
            double factor = weight(weight, at, last, s, r, p);
            if (factor != 0) {
                int sample = (int) at;
                double value = factor * x.getAtIndex(JAVA_FLOAT, (long) p * step + part);
                double later = (at - sample) * value;
                long to = base + (long) sample * step;
                y.setAtIndex(JAVA_FLOAT, to, (float) (y.getAtIndex(JAVA_FLOAT, to) + (value - later)));
                y.setAtIndex(JAVA_FLOAT, to + step, (float) (y.getAtIndex(JAVA_FLOAT, to + step) + later));
            }
        }
    }

    private static void collect32(
            Arrivals arrivals, int s, int r, MemorySegment x, int part, int step, MemorySegment y, long base) {
        double[] down = arrivals.down(s);
        double[] up = arrivals.up(r);
        double rate = arrivals.rate();
        Weight weight = arrivals.weight();
        int last = arrivals.samples() - 1;
        for (int p = 0; p < down.length; p++) {
            double at = (down[p] + up[p]) * rate;
            double factor = weight(weight, at, last, s, r, p);
            if (factor != 0) {
                int sample = (int) at;
                long from = base + (long) sample * step;
                double first = y.getAtIndex(JAVA_FLOAT, from);
                double second = y.getAtIndex(JAVA_FLOAT, from + step);
                long to = (long) p * step + part;
                double old = x.getAtIndex(JAVA_FLOAT, to);
                x.setAtIndex(JAVA_FLOAT, to, (float) (old + factor * (first + (at - sample) * (second - first))));
            }
        }
    }
}
