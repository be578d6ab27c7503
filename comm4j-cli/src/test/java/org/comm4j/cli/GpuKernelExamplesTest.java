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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples with kernels on a GPU, where the examples are on the class path; elsewhere they run as their READMEs
 * say.
 */
@Tag("gpu")
class GpuKernelExamplesTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KernelSaxpy",
                "KernelReduction",
                "KernelJacobi",
                "KernelMatrixProduct",
                "KernelHistogram",
                "KernelTranspose",
                "KernelCurand"
            })
    void exampleRuns(String program) throws Exception {
        assumeTrue(Cuda.problem() == null, Cuda.problem());
        assumeTrue(Toolchain.problem() == null, Toolchain.problem());
        assumeTrue(
                GpuKernelExamplesTest.class.getResource("/" + program + ".class") != null,
                "the examples are on the class path only where dev/gpu-tests packed them");
        Outcome outcome = Running.start(Running.comm4j(List.of(), List.of("run", "-n", "1", "--", program)), folder)
                .end(Duration.ofMinutes(3));
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        // Without the header it says so, and runs on the CPU.
        assertThat(outcome.lines().getLast())
                .startsWith(outcome.out().contains("no curand_philox4x32_x.h") ? "CPU: " : "NVIDIA ");
    }
}
