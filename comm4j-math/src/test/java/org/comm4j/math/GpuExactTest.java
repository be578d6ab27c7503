// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exact sums of a GPU. */
@Tag("gpu")
class GpuExactTest extends ExactContract {
    @Override
    Compute make() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        return new GpuCompute(Device.of(0));
    }

    @Override
    long[] lengths() {
        return new long[] {0, 1, 2, 3, 1023, 1025, 3301, 30_011};
    }

    /** Threads have more terms than their sums have room for. */
    @ParameterizedTest
    @CsvSource({"FLOAT32, 150000003", "FLOAT64, 80000001"})
    void longVectors(DataType type, long n) {
        Buffer x = compute.allocate(type, n).buffer();
        compute.fill(Coefficient.of(1.5), x);
        ExactSums sums = compute.exactSums(2);
        Scalars results = compute.scalars(2);
        compute.prepare(new Sweep()
                        .vdot(x, x, sums, 0, false)
                        .moduli(x, sums, 1, false)
                        .round(sums, 1, results.buffer()))
                .run();
        assertThat(results.get(0).real()).isEqualTo(2.25 * n);
        assertThat(results.get(1).real()).isEqualTo(1.5 * n);
    }
}
