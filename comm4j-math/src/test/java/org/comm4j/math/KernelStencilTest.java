// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

/** The kernels for stencils, on the executor for processors, which finds races. */
class KernelStencilTest extends StencilContract {
    @Override
    Compute make() {
        return new GpuCompute(new ExecutorQueue());
    }
}
