// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.signal.FFTND;
import org.comm4j.operator.signal.FourierNorm;

/**
 * The measurement of {@code comm4j bench fft}: unscaled Fourier transforms of arrays that are divided among the ranks,
 * beside the bare transforms of as many lines on each rank. Every rank calls it.
 */
public final class FftBench {
    /** Operations of a transform of n complex numbers, in units of n log₂ n, by convention. */
    private static final double OPERATIONS = 5;

    private final Backend backend;
    private final CaseTimer timer;
    private final int rounds;
    private final int millis;

    /**
     * Makes the measurement.
     *
     * @param rounds of which the fastest counts
     * @param millis that the calls of a round take together, about
     * @throws IllegalArgumentException if a number is below 1
     */
    public FftBench(Backend backend, int rounds, int millis) {
        CaseTimer.check(rounds, millis);
        this.backend = backend;
        this.rounds = rounds;
        this.millis = millis;
        timer = new CaseTimer(backend);
    }

    /** Returns the lines above the results: what computes, the columns. */
    public String header() {
        String columns = String.format(
                Locale.ROOT,
                "# %-18s %-10s %12s %9s %8s %7s %12s %9s %8s %7s",
                "shape",
                "type",
                "forward us",
                "GFLOP/s",
                "GB/s",
                "share",
                "adjoint us",
                "GFLOP/s",
                "GB/s",
                "share");
        return "# " + backend.compute().name() + ", " + backend.size() + (backend.size() == 1 ? " rank" : " ranks")
                + ", engine " + backend.communicator().engine() + "\n"
                + "# GFLOP/s: 5 n log2 n operations for n complex numbers, half as many for real ones; GB/s: each"
                + " array once; share: of the bare transforms' rate\n"
                + columns;
    }

    /**
     * Collective: returns the line of a shape: microseconds, 10⁹ operations and bytes in a second of all ranks
     * together, and the share of the rate of the bare transforms, in both directions.
     */
    public String measure(FftShape shape, DataType type) {
        boolean real = !type.isComplex();
        Layout layout = backend.scattered(0, shape.shape());
        int first = layout.ndim() - shape.lengths().length;
        FFTND.Builder builder = FFTND.of(
                        backend, layout, IntStream.range(first, layout.ndim()).toArray())
                .norm(FourierNorm.NONE)
                .dtype(type);
        LinearOperator operator = real ? builder.real().build() : builder.build();
        try (BareFft bare = new BareFft(backend, shape, type);
                Vector x = backend.random(operator.domain(), operator.domainType(), 1);
                Vector y = backend.random(operator.range(), operator.rangeType(), 2)) {
            double[] forward = timer.fastest(rounds, millis, () -> operator.matvec(x, y), bare::forward);
            double[] adjoint = timer.fastest(rounds, millis, () -> operator.rmatvec(y, x), bare::inverse);
            double n = shape.points();
            double flops = OPERATIONS * shape.batch() * n * Math.log(n) / Math.log(2) * (real ? 0.5 : 1);
            double bytes = (double) elements(operator.domain())
                            * operator.domainType().bytes()
                    + (double) elements(operator.range()) * operator.rangeType().bytes();
            return String.format(Locale.ROOT, "  %-18s %-10s", shape, type)
                    + columns(forward[0], flops, bytes, bare.fraction() * forward[1])
                    + columns(adjoint[0], flops, bytes, bare.fraction() * adjoint[1]);
        }
    }

    private static long elements(Layout layout) {
        return Arrays.stream(layout.shape()).reduce(1, (a, b) -> a * b);
    }

    private static String columns(double nanos, double flops, double bytes, double bare) {
        return String.format(
                Locale.ROOT, " %12.1f %9.2f %8.2f %7.3f", nanos * 1e-3, flops / nanos, bytes / nanos, bare / nanos);
    }
}
