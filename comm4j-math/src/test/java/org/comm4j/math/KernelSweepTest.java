// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.test.Nightly;

/** Sweeps of a GPU, on the executor for processors, which finds races. */
class KernelSweepTest extends SweepContract {
    /** Each of them by night; pairs of double precision for a change, and single ones in {@link KernelStencilTest}. */
    static Stream<DataType> types() {
        return Nightly.isOn() ? SweepContract.types() : Stream.of(DataType.COMPLEX128);
    }

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
