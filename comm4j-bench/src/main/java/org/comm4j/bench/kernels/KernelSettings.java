// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.util.List;

/**
 * What is measured, and how.
 *
 * @param cases which kernels
 * @param elements numbers that each of them works on, about
 * @param order rows of the product's matrices, about
 * @param rounds how often Java and CUDA C++ take turns; the least time counts
 * @param launches of a kernel that are timed together
 * @param bandwidth of the device's memory, in bytes per second; 0 for what the driver says
 * @param flops of the device, in single-precision operations per second; 0 for what the driver's clock gives
 */
public record KernelSettings(
        List<KernelCase> cases, long elements, int order, int rounds, int launches, double bandwidth, double flops) {
    private static final long MOST = 1L << 30;
    private static final int LARGEST_ORDER = 32768;

    public KernelSettings {
        cases = List.copyOf(cases);
        if (elements < 1 || elements > MOST) {
            throw new IllegalArgumentException("--elements " + elements + ": 1 to " + MOST);
        }
        if (order < 1 || order > LARGEST_ORDER) {
            throw new IllegalArgumentException("--order " + order + ": 1 to " + LARGEST_ORDER);
        }
        if (rounds < 1 || launches < 1) {
            throw new IllegalArgumentException(
                    rounds < 1 ? "--rounds " + rounds + ": at least 1" : "--launches " + launches + ": at least 1");
        }
        if (!(bandwidth >= 0 && flops >= 0)) {
            throw new IllegalArgumentException("--peak-bandwidth and --peak-flops are not negative");
        }
    }
}
