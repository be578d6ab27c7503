// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;

/** The kernels of a GPU, on the executor for processors, which finds races. */
class KernelComputeTest extends ComputeContract {
    static Stream<DataType> types() {
        return Nightly.isOn() ? ComputeContract.types() : Stream.of(DataType.FLOAT32, DataType.COMPLEX128);
    }

    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }

    /** Few and short ones: the executor looks at every access. */
    @Override
    long[] lengths() {
        return new long[] {0, 3, 65};
    }

    @Test
    void severalBlocksAddUp() {
        HostArray x = HostArray.allocate(DataType.FLOAT32, 4999);
        x.fill(0.5);
        try (Compute compute = make()) {
            Scalar result = compute.scalars(1).get(0);
            for (int i = 0; i < 2; i++) {
                compute.dot(x, x, result);
                assertThat(result.real()).isEqualTo(4999 / 4.0);
            }
        }
    }
}
