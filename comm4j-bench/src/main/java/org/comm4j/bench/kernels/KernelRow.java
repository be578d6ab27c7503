// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.util.List;

/**
 * What was measured of a kernel.
 *
 * @param problem which, and how large
 * @param java the kernel in Java
 * @param cuda the kernel in CUDA C++
 * @param roofline how fast it could be at most, in microseconds: bytes over bandwidth or operations over their rate,
 *     whichever is more; NaN if the peaks are not known
 */
public record KernelRow(Size problem, Side java, Side cuda, double roofline) {
    /** How much there is to do, as of {@link KernelProblem}. */
    public record Size(KernelCase of, long elements, long bytes, double flops) {}

    /**
     * One of the two.
     *
     * @param micros the least time, in microseconds
     * @param registers of a thread; of the first launch if there are several
     * @param wrong elements that are not as plain Java computes them
     */
    public record Side(double micros, int registers, long wrong) {}

    /** CUDA's time over Java's: above 1 Java is faster. */
    public double ratio() {
        return cuda.micros / java.micros;
    }

    /** How much of what the device can do the kernel in Java reaches, 0 to 1. */
    public double ofPeak() {
        return roofline / java.micros;
    }

    /** The geometric mean of all ratios; NaN of none. */
    public static double mean(List<KernelRow> rows) {
        return Math.exp(rows.stream()
                .mapToDouble(row -> Math.log(row.ratio()))
                .average()
                .orElse(Double.NaN));
    }

    /** Whether all results are right and no ratio is below {@code threshold}. */
    public static boolean reaches(List<KernelRow> rows, double threshold) {
        return rows.stream().allMatch(row -> row.java.wrong == 0 && row.cuda.wrong == 0 && row.ratio() >= threshold);
    }
}
