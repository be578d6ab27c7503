// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Sweeps of a GPU, on the executor for processors, which finds races. */
class KernelSweepTest extends SweepContract {
    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }

    /** Few ones, as the executor looks at every access; the longest takes several blocks in double precision. */
    @Override
    long[] lengths() {
        return new long[] {0, 3, 2101};
    }
}
