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
import org.comm4j.nvshmem.Nvshmem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands on GPUs with NVSHMEM, as a user meets them: a process a GPU, or with {@code -Dcomm4j.gpu.pes} so many
 * that share GPUs by CUDA's Multi-Process Service.
 */
@Tag("gpu")
class GpuNvshmemCommandsTest {
    private static final int PES = Integer.getInteger("comm4j.gpu.pes", Cuda.deviceCount());

    @TempDir
    private Path folder;

    @BeforeEach
    void needsGpus() {
        String problem = Nvshmem.problem();
        assumeTrue(problem == null, problem);
        assumeTrue(PES > 1, "two GPUs are needed");
    }

    private Outcome comm4j(String command) throws IOException, InterruptedException {
        return Running.start(Running.comm4j(List.of(), Arrays.asList(command.split(" "))), folder)
                .end(Duration.ofMinutes(3));
    }

    private static List<String> rows(Outcome outcome) {
        return outcome.out().lines().filter(line -> line.matches("\\d+ .*")).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nstream 5 1000003 3 -n 2",
                "nstream 5 1048576 -n 1",
                "transpose 5 1001 -n 2",
                "transpose 5 4096 -n 2",
                "transpose 5 4096 -n 1",
                "stencil 5 1001 -n 2",
                "stencil 4 4096 --radius 5 -n 2",
                "stencil 5 4096 -n 1"
            })
    void researchKernelsAreRight(String kernel) throws Exception {
        Outcome outcome = comm4j("prk " + kernel + " --engine nvshmem");
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("Engine", "nvshmem", "Solution validates", "Rate (M");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bw,latency,put_signal_on_stream,put_signal_ping_pong_on_stream --dir all --issue all -e 16M",
                "alltoall_on_stream,broadcast_on_stream,fcollect_on_stream,reducescatter_on_stream,reduction_on_stream"
                        + " -e 16M",
                "alltoall_on_stream,broadcast_on_stream,fcollect_on_stream,reducescatter_on_stream,reduction_on_stream"
                        + " --cudagraph -e 16M -d float",
                "reducescatter_on_stream,reduction_on_stream -d bf16 -o max",
                "reducescatter_on_stream,reduction_on_stream -d uint64 -o xor",
                "barrier_on_stream,barrier_all_on_stream,sync_on_stream,sync_all_on_stream,init",
                "malloc -e 4G"
            })
    void perftestsAreRight(String tests) throws Exception {
        Path json = folder.resolve("results.json");
        Outcome outcome =
                comm4j("bench nvshmem --ranks " + PES + " -f 8 --warmup-time 50 --json " + json + " " + tests);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("# Out of bounds values : 0 OK");
        assertThat(rows(outcome)).isNotEmpty();
        assertThat(Files.readString(json)).contains("\"devices\"", "\"libraries\": \"NVSHMEM ");
        assertThat(comm4j("bench compare " + json + " " + json).out())
                .contains("over " + rows(outcome).size() + " rows : 1.000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shmem_put_bw,shmem_get_bw,shmem_st_bw,shmem_p_bw,shmem_g_bw,shmem_atomic_bw -e 16M",
                "shmem_put_bw -s thread -e 16M",
                "shmem_put_bw,shmem_get_bw --bidir -e 16M",
                "shmem_put_latency,shmem_get_latency,shmem_p_latency,shmem_g_latency,shmem_atomic_latency -e 64K",
                "shmem_p_ping_pong_latency,shmem_put_ping_pong_latency,shmem_put_signal_ping_pong_latency,shmem_put_atomic_ping_pong_latency"
                        + " -e 64K",
                "shmem_signal_ping_pong_latency,shmem_atomic_ping_pong_latency,flag_ping_pong_latency",
                "shmem_atomic_bw,shmem_atomic_latency,shmem_atomic_ping_pong_latency -a compare_swap -e 64K",
                "barrier_latency,sync_latency",
                "fcollect_latency,alltoall_latency -s block -e 64K",
                "first_call,unit,compile,compile_cached,launch"
            })
    void devicePerftestsAreRight(String tests) throws Exception {
        assumeTrue(KernelCode.problem() == null, KernelCode.problem());
        Outcome outcome = comm4j("bench device --ranks " + PES + " -b 64 -f 8 --warmup-time 20 " + tests);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("# Out of bounds values : 0 OK");
        assertThat(rows(outcome)).hasSizeGreaterThan(2);
    }

    @Test
    void kernelsBesideCallsAreMeasured() throws Exception {
        assumeTrue(KernelCode.problem() == null, KernelCode.problem());
        Outcome outcome = comm4j("bench nvshmem stream_latency --ranks " + PES + " --dir all -e 64K -f 16");
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out())
                .contains(" with _on_stream ", " without _on_stream ", "# Out of bounds values : 0 OK");
        assertThat(rows(outcome)).hasSize(4 * 5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " --overlap",
                " --graph",
                " --overlap --graph",
                " --overlap --graph --blocking 1",
                " --persistent",
                " --persistent --blocking 1 --nccheck 50"
            })
    void jacobiIsThatOfOneGpu(String options) throws Exception {
        assumeTrue(KernelCode.problem() == null, KernelCode.problem());
        Outcome outcome = comm4j("jacobi -n " + PES + " --engine nvshmem --nx 1030 --ny 515 --iters 250" + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out().lines().toList())
                .hasSize(5)
                .last()
                .asString()
                .matches(PES + " ranks, 1030 x 515, 250 iterations, . a pass: .* efficiency .* %; same solution");
        // The same norms as those of processors.
        List<Double> expected = norms(comm4j("jacobi -n 1 --nx 1030 --ny 515 --iters 250"));
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

    /** Each way gives its rows within seconds, also the one whose host waits in each call. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kernels,floor,nccl-counted,nccl-gather --layout padded",
                "kernels,nccl-counted,nccl-padded --layout by_rank"
            })
    void expertsAreMeasuredByEachWay(String ways) throws Exception {
        assumeTrue(Nccl.problem() == null, Nccl.problem());
        Outcome outcome =
                comm4j("bench moe --ranks " + PES + " --experts 32 --tokens 1,5,64 -n 200 --tsv --ways " + ways);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        int count = ways.split(" ")[0].split(",").length;
        assertThat(outcome.out().lines().skip(1))
                .hasSize(3 * count)
                .allSatisfy(row -> assertThat(row).startsWith("32\t8\t").endsWith("\t0"));
    }

    /** Where the examples are on the class path; elsewhere they run as their READMEs say. */
    @ParameterizedTest
    @ValueSource(
            strings = {"NvshmemHello", "NvshmemPutSignal", "NvshmemAllReduce", "NvshmemNcclTogether", "JacobiNvshmem"})
    void exampleRuns(String program) throws Exception {
        assumeTrue(
                GpuNvshmemCommandsTest.class.getResource("/" + program + ".class") != null,
                "the examples are on the class path only where dev/gpu-tests packed them");
        assumeTrue(!program.endsWith("Together") || Nccl.problem() == null, Nccl.problem());
        assumeTrue(PES == Cuda.deviceCount(), "the examples have a GPU for each PE");
        Outcome outcome = comm4j("run -n " + PES + " -- " + program);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        String sum = PES * (PES + 1) / 2 + ".0";
        String first = "[0] PE 0 ";
        switch (program) {
            case "NvshmemHello" -> assertThat(outcome.out()).contains(first + "of " + PES, ": got " + (PES - 1));
            case "NvshmemPutSignal" -> assertThat(outcome.out()).contains(first + "saw " + (PES - 1) + ".5", " 0.5\n");
            case "JacobiNvshmem" -> assertThat(outcome.out()).contains(" on " + PES + " PEs, ", "as in plain Java");
            case "NvshmemAllReduce" -> assertThat(outcome.out()).contains(first + "of " + PES + ": sum " + sum + ", ");
            default -> assertThat(outcome.out()).contains("got " + PES + ".0 from NVSHMEM, the sum by NCCL is " + sum);
        }
    }
}
