// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.junit.jupiter.api.Tag;

/** Weights and factors of a GPU's Fourier transforms, on the executor for processors. */
@Tag("nightly")
class KernelFftTest extends FftContract {
    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }
}
