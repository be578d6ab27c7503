// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** Stencils of a processor. */
class CpuStencilTest extends StencilContract {
    @Override
    Compute make() {
        return new CpuCompute();
    }
}
