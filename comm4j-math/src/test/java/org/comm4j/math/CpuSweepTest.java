// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Sweeps of a processor. */
class CpuSweepTest extends SweepContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }
}
