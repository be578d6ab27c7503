// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;

/**
 * What a kernel has to do, with its data.
 *
 * @param of which it is
 * @param elements how many elements the result, or what is read, has
 * @param bytes that have to be moved at least
 * @param flops arithmetic operations
 * @param arrays all arrays, with what is in them at first
 * @param steps launches, in their order
 * @param wrong compares what is in the arrays after the launches with plain Java's result, and says how many elements
 *     differ
 */
public record KernelProblem(
        KernelCase of,
        long elements,
        long bytes,
        double flops,
        List<HostArray> arrays,
        List<Step> steps,
        LongSupplier wrong) {
    /**
     * One launch.
     *
     * @param kernel the name, in Java and in CUDA C++
     * @param arguments numbers, and of the problem's arrays
     */
    public record Step(String kernel, LaunchConfig config, List<Object> arguments) {
        public Step {
            arguments = List.copyOf(arguments);
        }

        Step(String kernel, LaunchConfig config, Object... arguments) {
            this(kernel, config, Arrays.asList(arguments));
        }
    }

    public KernelProblem {
        arrays = List.copyOf(arrays);
        steps = List.copyOf(steps);
    }
}
