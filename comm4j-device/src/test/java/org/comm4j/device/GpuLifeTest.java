// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link LifeProgram} on two GPUs. */
@Tag("gpu")
class GpuLifeTest {
    @Test
    void kernelsLiveAsLongAsNvshmem() {
        Gpus.require(2);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(2)
                .jvmOptions(DeviceProgram.gpuOptions())
                .java(LifeProgram.class.getName())
                .timeout(Duration.ofMinutes(5))
                .output(output, output);
        DeviceProgram.environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
        DeviceProgram.environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
        DeviceProgram.environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        int code = launcher.run();
        String said = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(said).isZero();
        assertThat(said).contains("[0] passed ended", "[1] passed ended");
    }
}
