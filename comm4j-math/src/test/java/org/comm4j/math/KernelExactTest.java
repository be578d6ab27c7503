// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;

/** Exact sums of a GPU, on the executor for processors, which finds races. */
@Tag("nightly")
class KernelExactTest extends ExactContract {
    /** Each of them by night; single precision, and pairs of double precision, for a change. */
    static Stream<DataType> types() {
        return Nightly.isOn() ? ExactContract.types() : Stream.of(DataType.FLOAT32, DataType.COMPLEX128);
    }

    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }

    /** Few ones, as the executor looks at every access; of the longest some threads have all packs, others some. */
    @Override
    long[] lengths() {
        return new long[] {0, 3, 3301};
    }
}
