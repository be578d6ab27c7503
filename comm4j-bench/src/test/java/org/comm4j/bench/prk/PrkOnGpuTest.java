// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

/** The kernels for GPUs, run by the CPU. */
class PrkOnGpuTest extends OnGpusContract {
    PrkOnGpuTest() {
        super(false, 4);
    }
}
