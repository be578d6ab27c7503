// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.ffi.cufft.LibCufft;
import org.junit.jupiter.api.Tag;

/** Fourier transforms of cuFFT. */
@Tag("gpu")
class GpuFftTest extends FftContract {
    @Override
    Compute make() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        assumeTrue(LibCufft.library().isPresent(), () -> LibCufft.library().toString());
        return new GpuCompute(Device.of(0));
    }

    /** Long lines of a prime length are convolutions in cuFFT, which lose more digits. */
    @Override
    double error() {
        return 10;
    }
}
