// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.junit.jupiter.api.Tag;

/** Faults of PEs over the real NVSHMEM. */
@Tag("gpu")
class GpuFaultTest extends FaultContract {
    GpuFaultTest() {
        super(Machine.GPUS, 2);
    }
}
