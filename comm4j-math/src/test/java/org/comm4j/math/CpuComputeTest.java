// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** The operations of a processor. */
class CpuComputeTest extends ComputeContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }
}
