// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.List;
import java.util.Locale;
import org.comm4j.kernel.lang.Kernel;

/**
 * What a case has taken with one kind of arithmetic.
 *
 * @param bound the largest error of a right result
 */
public record SuiteRow(SuiteCase of, Kernel.Math math, Side java, Side cuda, double bound) {
    /**
     * One language's kernels.
     *
     * @param millis the least time of a pass through all launches
     * @param registers of a thread of the launch that has most
     * @param localBytes of memory of a thread, of the launch that has most
     * @param error see {@link SuiteProblem#error}
     */
    public record Side(double millis, int registers, int localBytes, double error) {}

    /** Java's time over that of CUDA C++. */
    public double ratio() {
        return java.millis / cuda.millis;
    }

    /** Whether both results are right. */
    public boolean right() {
        return java.error <= bound && cuda.error <= bound;
    }

    /** The geometric mean of all ratios; 1 of none. */
    public static double mean(List<SuiteRow> rows) {
        return Math.exp(rows.stream()
                .mapToDouble(row -> Math.log(row.ratio()))
                .average()
                .orElse(0));
    }

    /** The names of the columns. */
    static String header(boolean tabs) {
        return line(
                tabs,
                "kernel",
                "math",
                "Java ms",
                "nvcc ms",
                "ratio",
                "Java error",
                "nvcc error",
                "registers",
                "local");
    }

    String text(boolean tabs) {
        return line(
                tabs,
                of.name(),
                math.toString(),
                format("%.4f", java.millis),
                format("%.4f", cuda.millis),
                format("%.3f", ratio()),
                format("%.1e", java.error),
                format("%.1e", cuda.error) + (right() ? "" : " wrong"),
                java.registers + "/" + cuda.registers,
                java.localBytes + "/" + cuda.localBytes);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static String line(boolean tabs, Object... words) {
        return tabs
                ? String.join(
                        "\t", List.of(words).stream().map(Object::toString).toList())
                : String.format(Locale.ROOT, "%-18s %-5s %9s %9s %7s %11s %11s %10s %8s", words);
    }
}
