// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Exact sums of a processor. */
class CpuExactTest extends ExactContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }
}
