// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.test.Nightly;

/** The kernels for stencils, on the executor for processors, which finds races. */
class KernelStencilTest extends StencilContract {
    /** Each by night; single precision for a change, and pairs of double precision in {@link KernelSweepTest}. */
    static Stream<DataType> types() {
        return Nightly.isOn() ? StencilContract.types() : Stream.of(DataType.FLOAT32);
    }

    static Stream<DataType> realTypes() {
        return Nightly.isOn() ? StencilContract.realTypes() : Stream.of(DataType.FLOAT32);
    }

    /** Few, as the executor looks at every access. */
    @Override
    List<long[]> parts(long[]... all) {
        return Nightly.again(List.of(all));
    }

    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }
}
