// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Fourier transforms of a processor. */
class CpuFftTest extends FftContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }
}
