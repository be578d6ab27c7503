// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.cli.Running.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark and the solver of GPUs over the C stand-ins for NCCL and the driver: all that needs no GPU, in one process. */
class SimulatedGpusTest {
    private static final Path SOURCE = Path.of("../comm4j-nccl/src/test/c/simulation.c");

    @TempDir
    private static Path folder;

    private static @Nullable Path library;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path target = folder.resolve("libsimulation.so");
        try {
            Process gcc = new ProcessBuilder(
                            "gcc", "-O1", "-shared", "-fPIC", "-pthread", "-o", target.toString(), SOURCE.toString())
                    .inheritIO()
                    .start();
            assertThat(gcc.waitFor()).isZero();
            library = target;
        } catch (IOException e) {
            assumeTrue(false, "there is no gcc to compile the simulated GPUs with: " + e.getMessage());
        }
    }

    private static Outcome comm4j(String command) throws IOException, InterruptedException {
        return comm4j(library, command);
    }

    private static Outcome comm4j(@Nullable Path library, String command) throws IOException, InterruptedException {
        return comm4j(library, Arrays.asList(command.split(" ")));
    }

    private static Outcome comm4j(@Nullable Path library, List<String> command)
            throws IOException, InterruptedException {
        List<String> options = List.of(
                "-Dorg.comm4j.nccl.library=" + library,
                "-Dorg.comm4j.cuda.library=" + library,
                "-Dorg.comm4j.nvrtc.library=" + library);
        return Running.start(Running.comm4j(options, command), folder).end(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "all --engine nccl -t 2",
                "all_reduce --engine nccl -g 3 -R 2",
                "all_gather --engine nccl -t 3 -R 1 -m 3",
                "reduce_scatter --engine nccl -t 2 -z 1 -C 1",
                "alltoall --engine nccl -t 2 -g 2",
                "sendrecv --engine nccl -g 2 -m 2",
                "all_reduce --engine nccl -t 3 -o avg -d half",
                "reduce --engine nccl -g 2 -z 1 -u 1 -c 3 -M 1",
                "broadcast --engine nccl -t 2 -z 3 -S 1 -x 1",
                "alltoallv,hypercube --engine nccl -t 4 -z 2 -T 100",
                "alltoallv,hypercube --engine nccl -g 4 -N 2"
            })
    void everyWayOfIssuingCallsGivesRightResults(String options) throws Exception {
        Outcome outcome = comm4j("bench " + options + " -b 8 -e 2K -f 16 -n 4 -w 1");
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("# Out of bounds values : 0 OK", "Simulated GPU 1");
        assertThat(outcome.rows()).hasSizeGreaterThanOrEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-t 2 -z 0", "-g 2 -z 1", "-t 2 -z 3 -K 2 -m 2"})
    void iterationsAreTimedOneByOne(String options) throws Exception {
        Path json = folder.resolve("iterations.json");
        Outcome outcome =
                comm4j("bench all_gather --engine nccl -I 1 -n 5 -w 1 -b 1K -e 2K -S 1 -J " + json + " " + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.rows()).hasSize(2).allSatisfy(row -> {
            // size count type redop root, twice time algbw busbw wrong min max p99 cv, a date and a time
            assertThat(row).hasSize(5 + 2 * 8 + 2);
            assertThat(Double.parseDouble(row[9])).isPositive().isLessThanOrEqualTo(Double.parseDouble(row[10]));
            assertThat(row[11]).isEqualTo(row[10]);
            assertThat(row[21]).matches("\\d{4}-\\d\\d-\\d\\d");
        });
        assertThat(outcome.out()).contains("i_min", "(+ per-iteration)");
        assertThat(Files.readString(json)).contains("\"in_place_per_iter\": {\"skipped_iterations\": ");
        // What we print is read like what nccl-tests prints.
        Path text = Files.writeString(folder.resolve("all_gather.txt"), outcome.out());
        assertThat(comm4j("bench compare --threshold 0.9 " + json + " " + text).out())
                .contains("over 2 rows : 1.000", ": 0 OK");
    }

    @Test
    void theSuiteMeasuresAllModes() throws Exception {
        Path out = folder.resolve("suite");
        List<String> words = new ArrayList<>(List.of("bench", "suite", out.toString(), "--gpus", "2", "--rounds", "2"));
        words.addAll(List.of("--modes", "group,threads", "--operations", "all_reduce,sendrecv", "-R", "0,2"));
        words.add("--options=-b 8 -e 2K -f 16 -n 3 -w 1");
        Outcome outcome = comm4j(library, words);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("## one thread, a group", "## a thread each, symmetric windows");
        assertThat(out.resolve("threads-R2/2/comm4j.json")).exists();
        assertThat(comm4j("bench suite " + out + " --nccl-tests /none --gpus 2").err())
                .contains("there is no program all_reduce_perf");
        assertThat(comm4j("bench suite " + out + " --modes one").err()).contains("there is no mode 'one'");
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        assertThat(comm4j("bench all_reduce --engine nccl -g 100").err()).contains("need 100 GPUs, but 8 are there");
        assertThat(comm4j("bench all_reduce --engine nccl -t 2 -o band -e 8").err())
                .contains("there is no reduction that this engine has");
        assertThat(comm4j("bench all_reduce --engine nccl -I 1").err()).contains("give their number");
        assertThat(comm4j("bench all_reduce --engine nccl -K 1 -n 5").err()).contains("only where each one is timed");
        assertThat(comm4j("bench hypercube --engine nccl -t 3").err()).contains("needs a power of two of GPUs, not 3");
        assertThat(comm4j("bench hypercube --engine nccl -t 2 -m 2").err()).contains("goes without -m");
        assertThat(comm4j("bench put --engine nccl -t 2").err()).contains("put needs the engine host");
        assertThat(comm4j("bench barrier --engine nccl -g 2").err()).contains("goes without -g and -m");
        assertThat(comm4j("bench all_reduce -R 2").err()).contains("are for GPUs");
        assertThat(comm4j("bench all_reduce --engine nccl -R 3").err()).contains("-R 3: a number from 0 to 2");
        assertThat(comm4j("bench all_reduce --engine nccl -z 1 -G 2").err()).contains("cannot be waited for");
    }

    private static List<String> norms(Outcome outcome) {
        return outcome.out()
                .lines()
                .filter(line -> line.matches(" *\\d+, \\d+\\.\\d{6}"))
                .toList();
    }

    /** The simulated GPUs with the solver's kernels. */
    private static Path withKernels() throws IOException, InterruptedException {
        Path target = folder.resolve("libsimulated-kernels.so");
        if (!Files.exists(target)) {
            Path kernels = Path.of("../comm4j-bench/src/main/resources/org/comm4j/bench/jacobi/jacobi.cu");
            try {
                Process gcc = new ProcessBuilder(
                                "g++",
                                "-std=c++17",
                                "-O1",
                                "-w",
                                "-shared",
                                "-fPIC",
                                "-pthread",
                                "-DJACOBI=\"" + kernels.toAbsolutePath().normalize() + "\"",
                                "-o",
                                target.toString(),
                                "../comm4j-bench/src/test/c/simulated-kernels.cpp",
                                String.valueOf(library),
                                "-ldl",
                                "-Wl,-rpath," + folder)
                        .inheritIO()
                        .start();
                assertThat(gcc.waitFor()).isZero();
            } catch (IOException e) {
                assumeTrue(false, "there is no g++ to compile the solver's kernels with: " + e.getMessage());
            }
        }
        return target;
    }

    /** Of two passes, and of a number of them that is odd and ends with small ones; and more norms than passes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 1 --blocking 1",
                "-n 2 --graph --blocking 2",
                "-n 3 --overlap",
                "-n 2 --overlap --graph",
                "-n 3 --overlap --graph --nccheck 100",
                "-n 2 --overlap --graph --nccheck 10 --blocking 4"
            })
    void jacobiGivesTheNormsOfTheHostEngine(String options) throws Exception {
        String problem = "jacobi --nx 131 --ny 60 --iters 207 ";
        Outcome expected = comm4j(problem + "-n 1");
        Outcome outcome = comm4j(withKernels(), problem + "--engine nccl --threads " + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(norms(outcome)).hasSize(3).isEqualTo(norms(expected));
        assertThat(outcome.out()).contains(options.contains("blocking") ? " a pass: " : ", 8 a pass: ");
    }

    @Test
    void jacobiSaysWhatGpusCannotDo() throws Exception {
        String jacobi = "jacobi --engine nccl --threads --nx 50 --iters 9 ";
        assertThat(comm4j(withKernels(), jacobi + "-n 2 --blocking 3").err()).contains("1, 2, 4 or 8 iterations");
        assertThat(comm4j(withKernels(), jacobi + "-n 3 --blocking 8 --ny 20").err())
                .contains("one has only 6; use fewer ranks, a larger ny or less blocking");
        assertThat(comm4j(withKernels(), jacobi + "-n 3 --ny 20").out()).contains(", 4 a pass: ");
        assertThat(comm4j(withKernels(), jacobi + "-n 1 --graph --nccheck 10").err())
                .contains("no graph: 9 iterations are fewer than --nccheck 10");
    }
}
