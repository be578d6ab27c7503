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
import org.junit.jupiter.api.Timeout;

/** {@link Litmus} on GPUs. */
@Tag("gpu")
@Timeout(600)
class GpuLitmusTest {
    @Test
    void orderIsKept() {
        int pes = Gpus.most();
        Gpus.require(pes);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher launcher = Launcher.ranks(pes)
                .jvmOptions(DeviceProgram.gpuOptions())
                .java(
                        "-D" + LitmusTest.MILLIS + "=" + LitmusTest.millis(2000),
                        LitmusProgram.class.getName(),
                        DeviceProgram.GPU)
                .timeout(Duration.ofMinutes(8))
                .output(output, output);
        DeviceProgram.environment(launcher, "NVSHMEM_DISABLE_NVLS", "1");
        DeviceProgram.environment(launcher, "NVSHMEM_REMOTE_TRANSPORT", "none");
        DeviceProgram.environment(launcher, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "lo");
        int code = launcher.run();
        String said = output.toString(StandardCharsets.UTF_8);
        LitmusTest.printFirst(said);
        assertThat(code).as(said).isZero();
        assertThat(said).contains("[0] litmus on PE 0 of " + pes + ": put, fence, put of a flag");
    }
}
