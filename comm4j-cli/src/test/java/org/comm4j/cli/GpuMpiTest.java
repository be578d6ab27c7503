// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.cuda.Cuda;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nccl.Nccl;
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** GPUs of one host under the launcher of an MPI library, a process for each. */
@Tag("gpu")
class GpuMpiTest {
    @BeforeEach
    void needsGpusAndALauncher() {
        String problem = Nccl.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(
                !Mpiexec.all(System.getenv()).isEmpty(),
                "there is no launcher of an MPI library; COMM4J_MPI names one");
    }

    private static String run(int ranks, String... words) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(ranks)
                .by(Mpiexec.all(System.getenv()).getFirst(), List.of())
                .java(words)
                .output(said, said)
                .timeout(Duration.ofMinutes(2))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        return text;
    }

    @Test
    void memoryOfGpusByMpiIsThatOfNccl() {
        int ranks = Math.max(2, Cuda.deviceCount());
        String text = run(ranks, GpuMpiProgram.class.getName());
        assertThat(text.lines().filter(line -> line.contains("MPI agrees with ")))
                .as(text)
                .hasSize(ranks);
    }

    @Test
    void jacobiByNccl() {
        jacobi("nccl");
    }

    @Test
    void jacobiByNvshmem() {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        jacobi("nvshmem");
    }

    private static void jacobi(String engine) {
        assumeTrue(KernelCode.problem() == null, KernelCode.problem());
        String text = run(
                Cuda.deviceCount(),
                Main.class.getName(),
                "jacobi",
                "--engine",
                engine,
                "--nx",
                "1030",
                "--ny",
                "515",
                "--iters",
                "250");
        assertThat(text)
                .containsPattern(Cuda.deviceCount() + " ranks?, 1030 x 515, 250 iterations")
                .contains("same solution");
    }
}
