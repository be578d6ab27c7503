// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.RepeatableLaunch;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;

/** The cases with kernels on the CPU, and PEs that are threads. */
class CpuThreadsTest extends DeviceContract {
    private interface Body {
        void run(TestPe pe) throws Exception;
    }

    @Override
    List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(1, 2, 3, 4, 8) : Sizes.of(3);
    }

    @Override
    void run(int pes, DeviceCase deviceCase) {
        onThreads(pes, deviceCase::run);
    }

    private static void onThreads(int pes, Body body) {
        World.threads(pes, world -> {
            try (HostShmem shmem = HostShmem.init(world);
                    TestPe pe = TestPe.of(shmem, CpuOptions.fast())) {
                shmem.timeout(Duration.ofSeconds(60));
                body.run(pe);
            }
        });
    }

    @Kernel
    static void who(I32Ptr out, int more) {
        out.set(0, Shmem.myPe() + more);
    }

    /** A launch that is repeated is that of the PE which has prepared it. */
    @Test
    void preparedLaunchesAreTheirPes() {
        onThreads(2, pe -> {
            HostArray out = HostArray.allocate(DataType.INT32, 1);
            try (CompiledKernel kernel = pe.compiler().compile(CpuThreadsTest::who)) {
                RepeatableLaunch launch = kernel.prepare(LaunchConfig.grid(1).block(1), out, 10);
                launch.launch();
                assertThat(out.getInt(0)).isEqualTo(pe.myPe() + 10);
                launch.set(1, 20).launch();
                assertThat(out.getInt(0)).isEqualTo(pe.myPe() + 20);
            }
        });
    }
}
