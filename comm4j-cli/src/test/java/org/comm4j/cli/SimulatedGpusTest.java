// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Nightly;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The benchmark and the solver of GPUs over the C stand-ins for NCCL and the driver: all that needs no GPU, in one
 * process.
 */
class SimulatedGpusTest {
    @TempDir
    private static Path folder;

    private static @Nullable Simulated gpus;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        gpus = Simulated.compile(folder, "comm4j-nccl", "org.comm4j.nccl.library");
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

    private static Outcome comm4j(String command) throws IOException {
        return gpus().comm4j(command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "all --engine nccl -t 2",
                "all_gather --engine nccl -t 3 -R 1 -m 3",
                "all_reduce --engine nccl -g 3 -R 2",
                "reduce --engine nccl -g 2 -z 1 -u 1 -c 3 -M 1",
                "broadcast --engine nccl -t 2 -z 3 -S 1 -x 1"
            })
    void everyWayOfIssuingCallsGivesRightResults(String options) throws Exception {
        givesRightResults(options);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(
            strings = {
                "reduce_scatter --engine nccl -t 2 -z 1 -C 1",
                "alltoall --engine nccl -t 2 -g 2",
                "sendrecv --engine nccl -g 2 -m 2",
                "all_reduce --engine nccl -t 3 -o avg -d half",
                "alltoallv,hypercube --engine nccl -t 4 -z 2 -T 100",
                "alltoallv,hypercube --engine nccl -g 4 -N 2"
            })
    void moreWaysOfIssuingCallsGiveRightResults(String options) throws Exception {
        givesRightResults(options);
    }

    private static void givesRightResults(String options) throws IOException {
        Outcome outcome = comm4j("bench " + options + " -b 8 -e 2K -f 16 -n 4 -w 1 --warmup-time 0");
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("# Out of bounds values : 0 OK", "Simulated GPU 1");
        assertThat(outcome.rows()).hasSizeGreaterThanOrEqualTo(3);
    }

    static List<String> waysToWait() {
        return Nightly.variants(2, List.of("-t 2 -z 0", "-g 2 -z 1", "-t 2 -z 3 -K 2 -m 2"));
    }

    @ParameterizedTest
    @MethodSource("waysToWait")
    void iterationsAreTimedOneByOne(String options) throws Exception {
        Path json = folder.resolve("iterations.json");
        Outcome outcome = comm4j("bench all_gather --engine nccl -I 1 -n 5 -w 1 --warmup-time 0 -b 1K -e 2K -S 1 -J "
                + json + " " + options);
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
    void withoutANumberTwentyIterationsAreTimedOneByOne() throws Exception {
        Path json = folder.resolve("twenty.json");
        Outcome outcome = comm4j("bench barrier --engine nccl -t 2 -I 1 --warmup-time 0 -J " + json);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(Files.readString(json)).contains("\"iterations\": 20,");
    }

    @Test
    @Tag("nightly")
    void theSuiteMeasuresAllModes() throws Exception {
        Path out = folder.resolve("suite");
        List<String> words = new ArrayList<>(List.of("bench", "suite", out.toString(), "--gpus", "2", "--rounds", "2"));
        words.addAll(List.of("--modes", "group,threads", "--operations", "all_reduce,sendrecv", "-R", "0,2"));
        words.add("--options=-b 8 -e 2K -f 16 -n 3 -w 1");
        Outcome outcome = gpus().comm4j(words);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("## one thread, a group", "## a thread each, symmetric windows");
        assertThat(out.resolve("threads-R2/2/sendrecv.comm4j.json")).exists();
        assertThat(comm4j("bench suite " + out + " --nccl-tests /none --gpus 2").err())
                .contains("there is no program all_reduce_perf");
        assertThat(comm4j("bench suite " + out + " --modes one").err()).contains("there is no mode 'one'");
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        assertThat(comm4j("bench all_reduce --engine nccl -g 100").err()).contains("need 100 GPUs, but 8 are there");
        assertThat(comm4j("bench all_reduce --engine nccl -t 2 -o band -d int32 -e 8")
                        .err())
                .contains("there is no reduction that this engine has");
        assertThat(comm4j("bench all_reduce --engine nccl -I 1 -K 20").err())
                .contains("-K leaves out 20 of 20 iterations: fewer, or more with -n");
        assertThat(comm4j("bench all_reduce --engine nccl -K 1 -n 5").err()).contains("only where each one is timed");
        assertThat(comm4j("bench hypercube --engine nccl -t 3").err()).contains("needs a power of two of ranks, not 3");
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

    /** Of two passes, and of a number of them that is odd and ends with small ones; and more norms than passes. */
    static List<String> solvers() {
        return Nightly.again(List.of(
                "-n 3 --overlap --graph --nccheck 100",
                "-n 1 --blocking 1",
                "-n 3 --overlap",
                "-n 2 --graph --blocking 2",
                "-n 2 --overlap --graph",
                "-n 2 --overlap --graph --nccheck 10 --blocking 4"));
    }

    @ParameterizedTest
    @MethodSource("solvers")
    void jacobiGivesTheNormsOfTheHostEngine(String options) throws Exception {
        String problem = "jacobi --nx 131 --ny 60 --iters 207 ";
        Outcome expected = comm4j(problem + "-n 1");
        Outcome outcome = gpus().withKernels().comm4j(problem + "--engine nccl --threads " + options);
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(norms(outcome)).hasSize(3).isEqualTo(norms(expected));
        assertThat(outcome.out()).contains(options.contains("blocking") ? " a pass: " : ", 8 a pass: ");
    }

    @Test
    void jacobiSaysWhatGpusCannotDo() throws Exception {
        String jacobi = "jacobi --engine nccl --threads --nx 50 --iters 9 ";
        assertThat(gpus().withKernels().comm4j(jacobi + "-n 2 --blocking 3").err())
                .contains("1, 2, 4 or 8 iterations");
        assertThat(gpus().withKernels().comm4j(jacobi + "-n 2 --persistent").err())
                .contains("--persistent: kernels reach other GPUs with --engine nvshmem");
        assertThat(gpus().withKernels()
                        .comm4j(jacobi + "-n 3 --blocking 8 --ny 20")
                        .err())
                .contains("one has only 6; use fewer ranks, a larger ny or less blocking");
        assertThat(gpus().withKernels().comm4j(jacobi + "-n 3 --ny 20").out()).contains(", 4 a pass: ");
        assertThat(gpus().withKernels()
                        .comm4j(jacobi + "-n 1 --graph --nccheck 10")
                        .err())
                .contains("no graph: 9 iterations are fewer than --nccheck 10");
    }
}
