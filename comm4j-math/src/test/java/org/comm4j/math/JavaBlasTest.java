// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** The operations of a processor whose machine has no BLAS. */
class JavaBlasTest extends ComputeContract {
    @Override
    Compute make() {
        return new CpuCompute(new JavaBlas());
    }
}
