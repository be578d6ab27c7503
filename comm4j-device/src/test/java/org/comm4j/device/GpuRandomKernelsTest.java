// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same random kernels on GPUs. Where Java has no compiler, those that {@code dev/gpu-tests} has packed. */
@Tag("gpu")
@Timeout(900)
class GpuRandomKernelsTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void onGpus(int pes) {
        assumeTrue(Cuda.problem() == null, Cuda::problem);
        Gpus.require(pes);
        int count = RandomKernels.cases(40);
        String missing = RandomPacked.isThere()
                ? null
                : RandomPacked.problem(GpuRandomKernelsTest.class.getClassLoader(), count);
        assumeTrue(missing == null, missing);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(pes)
                .jvmOptions(DeviceProgram.gpuOptions())
                .java(
                        "-Dcomm4j.device.random.seed=" + RandomKernels.SEED,
                        RandomProgram.class.getName(),
                        DeviceProgram.GPU,
                        Integer.toString(count))
                .timeout(Duration.ofMinutes(12))
                .output(output, output);
        DeviceProgram.environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
        DeviceProgram.environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
        DeviceProgram.environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        int code = launcher.run();
        String said = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(said).isZero();
        for (int pe = 0; pe < pes; pe++) {
            assertThat(said)
                    .contains(
                            "[" + pe + "] " + count + " kernels of seed " + RandomKernels.SEED + ", wrong: []\n",
                            "[" + pe + "] " + count / 4 + " kernels of seed " + RandomKernels.SEED
                                    + " with checks, wrong: []\n");
        }
    }
}
