// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.cuda.Cuda;
import org.comm4j.kernel.KernelCode;
import org.comm4j.nccl.Nccl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on GPUs, as a user meets them: one process a GPU unless told otherwise. */
@Tag("gpu")
class GpuCommandsTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void needsGpus() {
        String problem = Nccl.problem();
        assumeTrue(problem == null, problem);
    }

    private Outcome comm4j(String command) throws IOException, InterruptedException {
        return Running.start(Running.comm4j(List.of(), Arrays.asList(command.split(" "))), folder)
                .end(Duration.ofMinutes(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench all_reduce --engine nccl -b 8 -e 1M -f 16",
                "bench all_reduce --engine nccl -b 8 -e 1M -f 16 -R 2",
                "bench sendrecv --engine nccl -b 64 -e 64K -f 32 -n 10",
                "bench alltoall --engine nccl -b 1K -e 1M -f 32 -G 3 -n 5",
                "bench alltoallv --engine nccl -b 1K -e 1M -f 32 -z 1 -T 60",
                "bench all_reduce --engine nccl -b 8 -e 1M -f 32 -z 3 -I 1 -n 10 -u 1 -y 1 -x 1 -M 1 -S 1"
            })
    void benchHasOneProcessForEachGpu(String command) throws Exception {
        Outcome outcome = comm4j(command);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out().lines().filter(line -> line.matches("#  Rank +\\d+ Pid .*\\[.*")))
                .hasSize(Cuda.deviceCount());
        assertThat(outcome.out()).contains("# Out of bounds values : 0 OK").doesNotContain("plain copy");
        // size count type redop root time algbw busbw #wrong ...
        assertThat(outcome.rows()).hasSizeGreaterThan(1).allSatisfy(row -> {
            assertThat(Double.parseDouble(row[5])).isPositive();
            assertThat(row[8]).isEqualTo("0");
        });
    }

    @Test
    void benchInOneProcess() throws Exception {
        Path json = folder.resolve("results.json");
        Outcome outcome =
                comm4j("bench all_gather --engine nccl -b 1K -e 1M -f 32 -g " + Cuda.deviceCount() + " --json " + json);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.rows()).hasSize(3);
        assertThat(Files.readString(json))
                .contains("\"devices\"", "\"libraries\": \"NCCL ", "\"gpus\": " + Cuda.deviceCount());
        assertThat(comm4j("bench compare " + json + " " + json).out()).contains("over 3 rows : 1.000");
    }

    @Test
    void suiteMeasuresAllModes() throws Exception {
        Path out = folder.resolve("suite");
        Outcome outcome = comm4j("bench suite " + out + " --operations all_reduce,sendrecv");
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out())
                .contains("## one thread, a group", "## a thread each, symmetric windows", "## a process each");
        for (String mode :
                List.of("group-R0", "group-R2", "threads-R0", "threads-R2", "processes-R0", "processes-R2")) {
            assertThat(out.resolve(mode).resolve("1/sendrecv.comm4j.json")).exists();
        }
    }

    @Test
    void benchSaysWhatItCannotDo() throws Exception {
        Outcome outcome = comm4j("bench all_reduce --engine nccl -g " + (Cuda.deviceCount() + 1));
        assertThat(outcome.code()).isNotZero();
        assertThat(outcome.err()).contains(Cuda.deviceCount() + " are there");
        assertThat(comm4j("bench put --engine nccl").err()).contains("needs the engine host");
        assertThat(comm4j("bench all_reduce --engine nccl -o band -e 8").err()).contains("there is no reduction");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " --overlap", " --graph", " --overlap --graph", " --overlap --graph --threads"})
    void jacobiIsThatOfOneGpu(String options) throws Exception {
        assumeTrue(KernelCode.problem() == null, KernelCode.problem());
        Outcome outcome = comm4j("jacobi --engine nccl --nx 1030 --ny 515 --iters 250" + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().lines().toList())
                .hasSize(5)
                .last()
                .asString()
                .matches(Cuda.deviceCount()
                        + " ranks, 1030 x 515, 250 iterations, 8 a pass: .* efficiency .* %; same solution");
        // The same norms as those of processors.
        Outcome host = comm4j("jacobi -n 1 --nx 1030 --ny 515 --iters 250");
        List<Double> expected = norms(host);
        List<Double> norms = norms(outcome);
        assertThat(norms).hasSameSizeAs(expected).hasSize(3);
        for (int i = 0; i < norms.size(); i++) {
            assertThat(norms.get(i)).isCloseTo(expected.get(i), within(2e-6));
        }
    }

    private static List<Double> norms(Outcome outcome) {
        return outcome.out()
                .lines()
                .filter(line -> line.matches(" *\\d+, \\d+\\.\\d{6}"))
                .map(line ->
                        Double.valueOf(line.substring(line.indexOf(',') + 1).strip()))
                .toList();
    }

    /** Where the examples are on the class path; elsewhere they run as their READMEs say. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NcclHello",
                "NcclRing",
                "NcclFusedBroadcast",
                "NcclSymmetricMemory",
                "NcclOneProcess",
                "NcclDeviceAllReduce",
                "JacobiNccl"
            })
    void exampleRuns(String program) throws Exception {
        assumeTrue(
                GpuCommandsTest.class.getResource("/" + program + ".class") != null,
                "the examples are on the class path only where dev/gpu-tests packed them");
        boolean compiles = program.startsWith("Jacobi") || program.equals("NcclDeviceAllReduce");
        assumeTrue(!compiles || KernelCode.problem() == null, KernelCode.problem());
        int ranks = program.equals("NcclOneProcess") ? 1 : Cuda.deviceCount();
        Outcome outcome = comm4j("run -n " + ranks + " -- " + program);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).isNotEmpty();
        assertThat(outcome.err()).isEmpty();
        if (program.equals("NcclHello")) {
            String sum = ranks * (ranks + 1) / 2 + ".0";
            assertThat(outcome.out().lines())
                    .hasSize(ranks)
                    .allSatisfy(line -> assertThat(line).endsWith(": " + sum));
        }
    }

    @Test
    void doctorListsTheGpus() throws Exception {
        Outcome outcome = comm4j("doctor");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).containsPattern("(?m)^nccl +ready$").containsPattern("(?m)^0 +NVIDIA ");
    }
}
