// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;

/**
 * Work for kernels, with its data.
 *
 * @param arrays all arrays, with what is in them at first
 * @param steps launches, in their order
 * @param error the largest difference between what is in the arrays after the launches and plain Java's result, over 1
 *     or the result's magnitude, whichever is larger; infinite for NaN
 */
public record SuiteProblem(List<HostArray> arrays, List<Step> steps, DoubleSupplier error) {
    /**
     * Launch of a kernel.
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

    public SuiteProblem {
        arrays = List.copyOf(arrays);
        steps = List.copyOf(steps);
    }
}
