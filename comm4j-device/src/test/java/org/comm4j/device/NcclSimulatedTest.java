// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Test;

/** What the host does for {@link NcclDevice} on GPUs, over a driver and an NCCL in host memory. */
class NcclSimulatedTest {
    @Test
    void argumentsAndRefusals() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .jvmOptions(SimulatedGpus.ncclOptions().toArray(String[]::new))
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(NcclSimulatedProgram.class.getName())
                .timeout(Duration.ofMinutes(2))
                .output(output, output)
                .run();
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("passed");
        assertThat(code).isZero();
    }
}
