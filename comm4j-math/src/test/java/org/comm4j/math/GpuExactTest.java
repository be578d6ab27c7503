// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.junit.jupiter.api.Tag;

/** Exact sums of a GPU. */
@Tag("gpu")
class GpuExactTest extends ExactContract {
    @Override
    Compute make() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        return new GpuCompute(Device.of(0));
    }
}
