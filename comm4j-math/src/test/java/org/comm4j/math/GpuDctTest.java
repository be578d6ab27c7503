// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.ffi.cufft.LibCufft;
import org.junit.jupiter.api.Tag;

/** Cosine transforms by cuFFT. */
@Tag("gpu")
class GpuDctTest extends DctContract {
    @Override
    Compute make() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        assumeTrue(LibCufft.library().isPresent(), () -> LibCufft.library().toString());
        return new GpuCompute(Device.of(0));
    }
}
