// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Sweeps of a GPU, on the executor for processors, which finds races. */
class KernelSweepTest extends SweepContract {
    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }

    /** Few and short ones: the executor looks at every access. */
    @Override
    long[] lengths() {
        return new long[] {0, 3, 65, 4999};
    }
}
