// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.comm4j.cli.Running.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The benchmark and the solver over the C stand-ins for NVSHMEM and the driver: PEs are processes, all that needs no
 * GPU.
 */
class SimulatedNvshmemTest {
    @TempDir
    private static Path folder;

    private static final String PROBLEM = "jacobi --nx 131 --ny 60 --iters 207 ";

    private static @Nullable Simulated gpus;
    private static @Nullable List<String> expected;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        gpus = Simulated.compile(folder, "comm4j-nvshmem", "org.comm4j.nvshmem.library");
        // What NVSHMEM loads for the unique id.
        Files.createFile(folder.resolve("nvshmem_bootstrap_uid.so.3"));
    }

    @AfterAll
    static void end() throws IOException {
        if (gpus != null) {
            gpus.close();
        }
    }

    private static Simulated gpus() {
        return Objects.requireNonNull(gpus);
    }

    private static List<String> titles(Outcome outcome) {
        return outcome.out()
                .lines()
                .filter(line -> line.matches("# *\\w+"))
                .map(line -> line.substring(1).strip())
                .toList();
    }

    private static List<String> rows(Outcome outcome) {
        return outcome.out().lines().filter(line -> line.matches("\\d+ .*")).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prk stencil 1 64 -n 9 --engine nvshmem",
                "jacobi -n 9 --engine nvshmem",
                "bench nvshmem bw --ranks 9"
            })
    void ranksNeedGpus(String command) throws Exception {
        Outcome outcome = gpus().comm4j(command);
        assertThat(outcome.code()).as(outcome.toString()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("9 ranks on this host: it has 8 GPUs, and each rank needs one, unless CUDA's Multi-Process"
                        + " Service runs");
    }

    @Test
    void everyPerftestRunsAndIsRight() throws Exception {
        Path json = folder.resolve("all.json");
        Path png = folder.resolve("all.png");
        Outcome outcome = gpus().comm4j("bench nvshmem bw,latency,put_signal_on_stream,put_signal_ping_pong_on_stream,"
                + "alltoall_on_stream,broadcast_on_stream,fcollect_on_stream,reducescatter_on_stream,reduction_on_stream,barrier_on_stream,barrier_all_on_stream,sync_on_stream,sync_all_on_stream,malloc,init"
                + " --ranks 2 --dir all --issue all -b 8 -e 2K -f 16 -n 3 -w 1 --warmup-time 0 --json " + json
                + " --png " + png);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains(
                        " 2 PEs, iters: 3, warmup iters: 1, validation: 1, ",
                        "Simulated GPU 1",
                        "# Out of bounds values : 0 OK");
        assertThat(titles(outcome))
                .containsExactly(
                        "Bandwidth",
                        "Bandwidth",
                        "Bandwidth",
                        "Bandwidth",
                        "Latency",
                        "Latency",
                        "Latency",
                        "Latency",
                        "put_signal_on_stream",
                        "put_signal_ping_pong_on_stream",
                        "alltoall_on_stream",
                        "broadcast_on_stream",
                        "fcollect_on_stream",
                        "reducescatter_on_stream",
                        "reduction_on_stream",
                        "barrier_on_stream",
                        "barrier_all_on_stream",
                        "sync_on_stream",
                        "sync_all_on_stream",
                        "malloc",
                        "init");
        // 8, 128 and 2048 bytes of those with sizes; 8 and 128 of malloc, which keeps them all.
        assertThat(rows(outcome)).hasSize(15 * 3 + 4 + 2 + 1);
        assertThat(Files.readString(json))
                .contains(
                        "\"engine\": \"nvshmem\"",
                        "\"operation\": \"latency read host\"",
                        "\"operation\": \"reduction_on_stream\"",
                        "\"redop\": \"sum\"");
        assertThat(Files.size(png)).isGreaterThan(1000);
        // What is printed is read like what the programs of NVSHMEM print.
        Path text = Files.writeString(folder.resolve("all.txt"), outcome.out());
        assertThat(gpus().comm4j("bench compare --threshold 0.5 " + json + " " + text)
                        .out())
                // What is printed is rounded.
                .containsPattern("over 52 rows : (0\\.9[89]|1\\.0[01])\\d")
                .contains(": 0 OK");
        assertThat(gpus().comm4j("bench compare --markdown " + json + " " + text)
                        .out())
                .contains("| barrier_on_stream | ", "| latency read host |");
    }

    @ParameterizedTest
    @ValueSource(strings = "--cudagraph -d int -o xor --ranks 2")
    void collectivesAreRight(String options) throws Exception {
        areRight(options);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(
            strings = {
                "-d bf16 -o min --ranks 3",
                "--cudagraph -d fp16 -o max --ranks 3",
                "-d double -o prod --ranks 4",
                "-d uint64 -o and --ranks 1"
            })
    void collectivesOfMoreTypesAndReductionsAreRight(String options) throws Exception {
        areRight(options);
    }

    private static void areRight(String options) throws IOException {
        Outcome outcome = gpus().comm4j("bench nvshmem alltoall_on_stream,broadcast_on_stream,fcollect_on_stream,"
                + "reducescatter_on_stream,reduction_on_stream -b 8 -e 4K -f 8 -n 2 -w 1 --warmup-time 0 " + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(titles(outcome)).hasSize(5);
        assertThat(rows(outcome)).hasSizeGreaterThan(14);
        assertThat(outcome.out()).contains("# Out of bounds values : 0 OK");
    }

    @Test
    void whatCannotBeMeasuredIsSaid() throws Exception {
        Outcome alone = gpus().comm4j("bench nvshmem latency --ranks 1");
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err()).contains("latency needs 2 PEs");
        Outcome threads = gpus().comm4j("jacobi --engine nvshmem --threads -n 2");
        assertThat(threads.code()).isEqualTo(2);
        assertThat(threads.err()).contains("NVSHMEM has one PE a process");
    }

    private static List<String> norms(Outcome outcome) {
        return outcome.out()
                .lines()
                .filter(line -> line.matches(" *\\d+, \\d+\\.\\d{6}"))
                .toList();
    }

    /** Of the engine host; every hundredth is printed, however many are computed. */
    private static synchronized List<String> expected() throws IOException {
        if (expected == null) {
            expected = norms(gpus().comm4j(PROBLEM + "-n 1"));
        }
        return expected;
    }

    /** An odd number of passes in a batch; by night also rows that differ in number from PE to PE, and few of them. */
    @ParameterizedTest
    @ValueSource(strings = "-n 2 --graph --nccheck 20 --blocking 4")
    void jacobiGivesTheNormsOfTheHostEngine(String options) throws Exception {
        givesTheNormsOfTheHostEngine(options);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(
            strings = {
                "-n 3 --graph --nccheck 20 --blocking 4",
                "-n 2 --overlap --graph",
                "-n 1 --blocking 1",
                "-n 2 --graph --blocking 2",
                "-n 3 --overlap"
            })
    void jacobiOfOtherKindsGivesTheNormsOfTheHostEngine(String options) throws Exception {
        givesTheNormsOfTheHostEngine(options);
    }

    private static void givesTheNormsOfTheHostEngine(String options) throws Exception {
        Outcome outcome = gpus().withKernels().comm4j(PROBLEM + "--engine nvshmem " + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(norms(outcome)).hasSize(3).isEqualTo(expected());
        assertThat(outcome.out()).contains("speed-up");
    }
}
