// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.World;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;

/** The cases with kernels on the CPU, and PEs that are threads. */
class CpuThreadsTest extends DeviceContract {
    @Override
    List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(1, 2, 3, 4, 8) : Sizes.of(3);
    }

    @Override
    void run(int pes, DeviceCase deviceCase) {
        World.threads(pes, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    TestPe pe = TestPe.of(shmem, CpuOptions.fast())) {
                shmem.timeout(Duration.ofSeconds(60));
                deviceCase.run(pe);
            }
        });
    }
}
