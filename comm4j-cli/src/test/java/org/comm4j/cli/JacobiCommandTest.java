// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The solver as a user meets it: ranks that are processes, the output and exit codes. */
class JacobiCommandTest {
    @TempDir
    private Path folder;

    private static Outcome comm4j(String... words) {
        return Running.here(List.of(words));
    }

    private Outcome process(Map<String, String> environment, String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = Running.comm4j(List.of(), List.of(words));
        builder.environment().putAll(environment);
        return Running.start(builder, folder).end(Duration.ofMinutes(2));
    }

    private static final String[] SMALL = {"jacobi", "--nx", "101", "--ny", "53", "--iters", "250"};

    private static Outcome small(String... more) {
        return comm4j(Stream.concat(Arrays.stream(SMALL), Arrays.stream(more)).toArray(String[]::new));
    }

    static List<String> norms(Outcome outcome) {
        return outcome.lines().stream()
                .filter(line -> line.matches(" *\\d+, \\d+\\.\\d{6}"))
                .toList();
    }

    @Test
    void givesTheSameNormsForAnyRanksAndBlocking() throws Exception {
        Outcome plain = small("-n", "1");
        assertThat(plain.code()).as(plain.err()).isZero();
        assertThat(norms(plain)).hasSize(3).first().asString().startsWith("    0, ");
        int ranks = Nightly.times(2, 3);
        Outcome blocked = small("-n", "" + ranks, "--blocking", "8");
        assertThat(blocked.code()).as(blocked.err()).isZero();
        assertThat(norms(blocked)).isEqualTo(norms(plain));
        assertThat(blocked.lines().getLast())
                .matches(ranks
                        + " ranks, 101 x 53, 250 iterations, 8 a pass: .* s, .* GB/s; 1 rank: .* efficiency .* %;"
                        + " same solution");
        assertThat(blocked.err()).isEmpty();
        // No progress line where nobody watches.
        assertThat(blocked.out()).doesNotContain("\r", "\033");
    }

    @Test
    void overOpenShmemIsThatOfOneRank() throws Exception {
        Outcome plain = small("-n", "1");
        for (String blocking : Nightly.variants(1, List.of("1", "8"))) {
            Outcome outcome = small("-n", "2", "--engine", "shmem", "--blocking", blocking);
            assertThat(outcome.code()).as(outcome.err()).isZero();
            assertThat(norms(outcome)).isEqualTo(norms(plain));
            assertThat(outcome.lines().getLast())
                    .startsWith("2 ranks, 101 x 53, 250 iterations, " + blocking + " a pass: ");
            assertThat(outcome.err()).isEmpty();
        }
        assertThat(small("-n", "1", "--engine", "shmem", "--csv").out()).startsWith("shmem, 101, 53, 250, 1, 1, 1, ");
    }

    /** Borders are messages, of several rows with blocking; of two ranks both neighbours are the other one. */
    @Test
    @Tag("nightly")
    void overMpiIsThatOfOneRank() throws Exception {
        assumeTrue(!Mpiexec.all(System.getenv()).isEmpty(), "there is no launcher of an MPI library");
        for (String ranks : List.of("2", "3")) {
            Stream<String> run = Stream.of("run", "-n", ranks, "--engine", "mpi");
            Stream<String> solver =
                    Stream.concat(Arrays.stream(SMALL), Stream.of("--engine", "mpi", "--blocking", "8"));
            Outcome outcome = process(Map.of(), Stream.concat(run, solver).toArray(String[]::new));
            assertThat(outcome.code()).as(outcome.err()).isZero();
            assertThat(outcome.out()).contains(ranks + " ranks, 101 x 53, 250 iterations", "same solution");
        }
    }

    @Test
    @Tag("nightly")
    void underOshrunIsThatOfOneRank() throws Exception {
        Outcome outcome = Running.oshrun(
                folder,
                2,
                Stream.of(Stream.of(Main.class.getName()), Arrays.stream(SMALL), Stream.of("--engine", "shmem"))
                        .flatMap(each -> each)
                        .toArray(String[]::new));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(norms(outcome)).hasSize(3).isEqualTo(norms(small("-n", "1")));
        assertThat(outcome.lines().getLast()).startsWith("2 ranks, 101 x 53, 250 iterations, 1 a pass: ");
    }

    /** The kernels that communicate by themselves, here on processors; PersistentJacobiTest has them for a change. */
    @Test
    @Tag("nightly")
    void persistentIsThatOfOneRank() throws Exception {
        String[] problem = {"jacobi", "--nx", "30", "--ny", "29", "--iters", "17"};
        Outcome plain = comm4j(
                Stream.concat(Arrays.stream(problem), Stream.of("-n", "1")).toArray(String[]::new));
        Outcome outcome =
                comm4j(Stream.concat(Arrays.stream(problem), Stream.of("-n", "2", "--persistent", "--blocking", "8"))
                        .toArray(String[]::new));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(norms(outcome)).hasSize(1).isEqualTo(norms(plain));
        assertThat(outcome.lines().getLast()).startsWith("2 ranks, 30 x 29, 17 iterations, 8 a pass: ");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void stopsAtTheToleranceAndSaysWhenItDoesNotCheck() {
        Outcome outcome = small("-n", "2", "--tol", "0.2", "--no-check");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.lines().getLast())
                .matches("2 ranks, 101 x 53, \\d\\d iterations, .*")
                .contains("not checked against one rank");
    }

    @Test
    void printsCsvAsNvidiasProgramDoes() throws Exception {
        Outcome outcome = small("-n", "1", "--csv", "--nccheck", "10");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).matches("host, 101, 53, 250, 10, 1, 1, \\d+\\.\\d{6}, \\d+\\.\\d{6}\\R");
    }

    @Test
    void draws() throws Exception {
        Path png = folder.resolve("jacobi.png");
        Outcome outcome = small("-n", "1", "--png", png.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        BufferedImage image = ImageIO.read(png.toFile());
        assertThat(image.getWidth()).isGreaterThan(image.getHeight());
        // Red above, blue below, at the left edge of the solution.
        int above = image.getRGB(62, 200);
        int below = image.getRGB(62, 600);
        assertThat(above >> 16 & 0xff).isGreaterThan(above & 0xff);
        assertThat(below & 0xff).isGreaterThan(below >> 16 & 0xff);
    }

    /** As in a session on another machine whose display is gone. */
    @Test
    void drawsWithoutTheScreenThatTheEnvironmentNames() throws Exception {
        Path png = folder.resolve("jacobi.png");
        Outcome outcome = process(
                Map.of("DISPLAY", ":4711"),
                "jacobi",
                "-n",
                "1",
                "--iters",
                "9",
                "--nx",
                "50",
                "--ny",
                "50",
                "--png",
                png.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(png).isNotEmptyFile();
    }

    @Test
    void showsProgressOnATerminal() throws Exception {
        String ranks = Nightly.isOn() ? "2" : "1";
        Outcome outcome = process(
                Map.of("COMM4J_TERMINAL", "1"), "jacobi", "-n", ranks, "--nx", "200", "--ny", "200", "--iters", "500");
        assertThat(outcome.out()).contains("on one rank: ", "on all ranks: ", " %\r");
    }
}
