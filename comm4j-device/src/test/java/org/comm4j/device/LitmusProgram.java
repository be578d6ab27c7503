// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.time.Duration;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.nvshmem.Nvshmem;

/** {@link Litmus} in one process of a job. */
final class LitmusProgram {
    private LitmusProgram() {}

    public static void main(String[] args) {
        try (World world = World.join()) {
            if (args[0].equals(DeviceProgram.GPU)) {
                try (Device device = Gpus.of(world);
                        Nvshmem shmem = Nvshmem.init(world, device);
                        TestPe pe = TestPe.of(shmem)) {
                    shmem.timeout(Duration.ofSeconds(60));
                    run(pe);
                }
            } else {
                try (HostShmem shmem = HostShmem.init(world);
                        TestPe pe = TestPe.of(shmem, CpuOptions.fast())) {
                    shmem.timeout(Duration.ofSeconds(60));
                    run(pe);
                }
            }
        }
    }

    private static void run(TestPe pe) {
        try {
            System.out.print(Litmus.run(pe, LitmusTest.millis(2000)));
            pe.endCase();
        } catch (Throwable e) {
            // The others would wait for this one.
            e.printStackTrace();
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
    }
}
