// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.cuda.Cuda;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples whose kernels communicate, on all GPUs, where the examples are on the class path; elsewhere they run as
 * their READMEs say.
 */
@Tag("gpu")
class GpuDeviceExamplesTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DeviceRingReduce",
                "DeviceAllReduce",
                "DeviceGatherMultiply",
                "DeviceHistogram",
                "DevicePushTiles"
            })
    void exampleRuns(String program) throws Exception {
        assumeTrue(Nvshmem.problem() == null, Nvshmem.problem());
        assumeTrue(Toolchain.problem() == null, Toolchain.problem());
        assumeTrue(
                GpuDeviceExamplesTest.class.getResource("/" + program + ".class") != null,
                "the examples are on the class path only where dev/gpu-tests packed them");
        String pes = Integer.toString(Cuda.deviceCount());
        Outcome outcome = Running.start(Running.comm4j(List.of(), List.of("run", "-n", pes, "--", program)), folder)
                .end(Duration.ofMinutes(3));
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("NVIDIA ").doesNotContain("(CPU)", "CPU, ");
    }
}
