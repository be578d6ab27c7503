// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.core.CommException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real processes throughout. */
@Timeout(30)
class LauncherTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Launcher program(int ranks, String... arguments) {
        List<String> words = new ArrayList<>(List.of(RankProgram.class.getName()));
        words.addAll(List.of(arguments));
        return Launcher.ranks(ranks)
                // In short lives the first compiler is enough.
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(words.toArray(String[]::new))
                .output(out, err);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<String> errors() {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private Path source(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static void assertGone(long pid) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (ProcessHandle.of(pid).map(RankProcesses::runs).orElse(false)) {
            assertThat(System.nanoTime())
                    .as("process " + pid + " is still there")
                    .isLessThan(deadline);
            Thread.sleep(10);
        }
    }

    private static final String HANG = """
        import org.comm4j.core.World;

        void main() {
            World world = World.join();
            if (world.rank() == 1) {
                world.lookup("never");
            }
            world.barrier();
        }
        """;

    @Test
    void ranksFormAWorld() {
        assertThat(program(4, "world").run()).isZero();
        assertThat(lines())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 4)
                        .mapToObj(r -> "[%d] World[rank %d of 4, local %d of 4, comm4j run]".formatted(r, r, r))
                        .toList());
        assertThat(errors()).isEmpty();
    }

    @Test
    void whatKilledLaunchersHaveLeftIsRemoved() throws IOException {
        Path left = Files.createTempDirectory("comm4j-run-1-");
        Path lock = Files.createFile(left.resolve("lock"));
        Files.setLastModifiedTime(lock, FileTime.fromMillis(System.currentTimeMillis() - 3_600_000));
        assertThat(program(1, "environment", "PATH").run()).isZero();
        assertThat(left).doesNotExist();
    }

    @Test
    void variablesArgumentsAndOptionsReachTheRanks() {
        Launcher launcher =
                program(1, "environment", "COMM4J_ENGINE", "two words").engine("mpi");
        assertThat(launcher.jvmOptions("-Xmx64m", "-XX:+UseParallelGC").run()).isZero();
        assertThat(lines()).containsExactly("mpi [environment, COMM4J_ENGINE, two words]");
        out.reset();
        assertThat(program(2, "property", "whoami")
                        .jvmOptions("-Dwhoami=rank%r", "-Dpath=/tmp/%r/%p")
                        .run())
                .isZero();
        assertThat(lines()).containsExactlyInAnyOrder("[0] rank0", "[1] rank1");
        out.reset();
        assertThat(program(2, "environment", "COMM4J_CHECKED")
                        .checked(true)
                        .prefix(r -> "rank" + r + ": ")
                        .run())
                .isZero();
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "rank0: 1 [environment, COMM4J_CHECKED]", "rank1: 1 [environment, COMM4J_CHECKED]");
    }

    /** Nor does it say a word if it is damaged, or was made with other modules. */
    @Test
    void anArchiveIsUsedWhereThereIsOne() throws IOException {
        assertThat(Launcher.archiveOptions("")).isEmpty();
        assertThat(Launcher.archiveOptions(folder.toString())).isEmpty();
        Path archive = folder.resolve("classes.aot");
        for (String content : List.of("", "no archive")) {
            Files.writeString(archive, content);
            assertThat(Launcher.archiveOptions(folder + ":" + folder)).isEmpty();
            List<String> options = Launcher.archiveOptions(folder.toString());
            assertThat(options).contains("-XX:AOTCache=" + archive);
            out.reset();
            assertThat(program(1, "property", "user.dir")
                            .jvmOptions(options.toArray(String[]::new))
                            .run())
                    .isZero();
            assertThat(lines()).containsExactly(System.getProperty("user.dir"));
            assertThat(errors()).isEmpty();
        }
    }

    /** As many as the pool has threads: none is left for anything that a launcher might leave to it. */
    @Test
    void jobsCanBeStartedFromTheCommonPool() {
        List<CompletableFuture<Integer>> jobs = IntStream.range(0, ForkJoinPool.getCommonPoolParallelism())
                .limit(8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> program(1, "environment", "PATH").prefix(r -> "").run()))
                .toList();
        jobs.forEach(job -> assertThat(job.join()).isZero());
    }

    @Test
    void inputIsEmpty() {
        assertThat(program(2, "input").run()).isZero();
        assertThat(lines()).containsExactlyInAnyOrder("[0] read -1", "[1] read -1");
    }

    @Test
    void linesAreNotTornAndStreamsStayApart() {
        assertThat(program(3, "pieces").run()).isZero();
        for (int rank = 0; rank < 3; rank++) {
            String prefix = "[" + rank + "] ";
            assertThat(lines().stream().filter(l -> l.startsWith(prefix)))
                    .containsExactlyElementsOf(IntStream.range(0, 20)
                            .mapToObj(i -> prefix + "first" + i + "-last" + i)
                            .toList());
            assertThat(errors().stream().filter(l -> l.startsWith(prefix))).hasSize(20);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("\n");
    }

    @Test
    void hugeOutputArrivesComplete() {
        assertThat(program(3, "lines").run()).isZero();
        List<String> lines = lines();
        assertThat(lines).hasSize(60_000);
        int[] next = new int[3];
        for (String line : lines) {
            int rank = line.charAt(1) - '0';
            assertThat(line)
                    .isEqualTo("[" + rank + "] " + rank + " " + next[rank]++ + " "
                            + String.valueOf((char) ('a' + rank)).repeat(100));
        }
    }

    @Test
    void aLineWithoutEndIsBrokenBetweenCharacters() {
        assertThat(program(2, "endless").run()).isZero();
        for (String prefix : List.of("[0] ", "[1] ")) {
            List<String> pieces =
                    lines().stream().filter(l -> l.startsWith(prefix)).toList();
            assertThat(pieces).hasSize(200_000 / LinePump.LONGEST + 1);
            assertThat(pieces.stream().map(l -> l.substring(4)).reduce("", String::concat))
                    .isEqualTo("ä".repeat(100_000));
        }
    }

    @Test
    void aReaderThatStopsDoesNotStopTheJob() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("nobody reads");
            }
        };
        assertThat(program(2, "lines").output(broken, err).run()).isZero();
    }

    @Test
    void theFirstFailureEndsTheOthersAndGivesTheExitCode() {
        assertThat(program(3, "exit").run()).isEqualTo(3);
        assertThat(errors())
                .singleElement()
                .asString()
                .matches("comm4j run: rank 1 \\(pid \\d+\\) exited with code 3; ending the others");
    }

    @Test
    void anUncaughtExceptionIsBlamedOnItsRank() {
        assertThat(program(3, "throw").run()).isEqualTo(1);
        assertThat(errors())
                .anyMatch(l -> l.contains("on purpose"))
                .anyMatch(l -> l.matches("comm4j run: rank 1 .* exited with code 1.*"))
                .noneMatch(l -> l.matches("comm4j run: rank [02].*"));
    }

    @Test
    void theRankThatLeftFirstIsBlamedThoughItEndsLast() {
        assertThat(program(3, "throw and end slowly").run()).isEqualTo(1);
        assertThat(errors())
                .anyMatch(l -> l.matches("comm4j run: rank 1 .* exited with code 1.*"))
                .noneMatch(l -> l.matches("comm4j run: rank [02].*"));
    }

    @Test
    void aKilledRankIsNoticedByTheOthers() {
        assertThat(program(3, "killed").keepGoing(true).run()).isEqualTo(137);
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "[0] in time: rank 0: the barrier cannot complete: rank 1 died: its connection ended without"
                                + " goodbye",
                        "[2] in time: rank 2: the barrier cannot complete: rank 1 died: its connection ended without"
                                + " goodbye");
        assertThat(errors())
                .anyMatch(l -> l.matches("comm4j run: rank 1 \\(pid \\d+\\) was killed by signal 9 \\(SIGKILL\\);"
                        + " the others go on"));
    }

    @Test
    void aKilledRankIsNoticedBeforeItsSocketsAreClosed() {
        assertThat(program(3, "killed while a child has its sockets", "1")
                        .keepGoing(true)
                        .run())
                .isEqualTo(137);
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "[0] in time: rank 0: the barrier cannot complete: rank 1 died: its process ended without"
                                + " goodbye",
                        "[2] in time: rank 2: the barrier cannot complete: rank 1 died: its process ended without"
                                + " goodbye");
    }

    @Test
    void abortEndsTheJobWithItsCode() {
        assertThat(program(3, "abort").run()).isEqualTo(7);
        assertThat(errors())
                .containsExactly("comm4j run: rank 1 aborted the job with exit code 7: the matrix is singular");
    }

    @Test
    void aRankThatDoesNotEndWhenAskedIsKilled() {
        long start = System.nanoTime();
        assertThat(program(2, "stubborn").grace(Duration.ofMillis(200)).run()).isEqualTo(5);
        assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
    }

    @Test
    void whatRanksHaveStartedEndsWithThem() throws Exception {
        // Rank 0's child is an orphan by the time that rank 0's end is noticed.
        assertThat(program(2, "parent").run()).isEqualTo(4);
        List<String> children = lines();
        assertThat(children).hasSize(2);
        for (String line : children) {
            assertGone(Long.parseLong(line.substring("[0] child ".length())));
        }
    }

    @Test
    void aRankThatEndsWithoutJoiningIsNotWaitedFor() {
        long start = System.nanoTime();
        assertThat(program(3, "absent").run()).isZero();
        assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
        assertThat(lines())
                .hasSize(2)
                .allMatch(l -> l.contains("the world of 3 ranks was not formed: rank 1 has ended"
                        + " (exited with code 0) without joining"));
    }

    @Test
    void aJobCanBeLimitedInTime() {
        assertThat(program(2, "sleep").timeout(Duration.ofMillis(300)).run()).isEqualTo(124);
        assertThat(errors())
                .hasSize(3)
                .startsWith("comm4j run: the job has not ended within 0.3 s; ending it")
                .anyMatch(l -> l.matches("comm4j run: rank 1 \\(pid \\d+\\) has not joined its world"));
    }

    @Test
    void ranksThatHangSayWhatTheyWaitForBeforeTheyAreEnded() throws Exception {
        Path file = source("Hang.java", HANG);
        assertThat(Launcher.ranks(2)
                        .source(file)
                        .output(out, err)
                        .timeout(Duration.ofSeconds(5))
                        .run())
                .isEqualTo(124);
        assertThat(errors())
                .anyMatch(l -> l.matches("\\[0] rank 0 of 2 \\(pid \\d+\\)"))
                .anyMatch(l -> l.matches("\\[0]   rank 0 has waited \\d+ s in the barrier \\(Hang.java:8\\)"))
                .anyMatch(l -> l.matches("\\[1]   rank 1 has waited \\d+ s in the lookup of 'never' \\(Hang.java:6\\)"))
                .anyMatch(l -> l.matches("\\[1] +at Hang.main\\(Hang.java:6\\)"));
    }

    @Test
    @Tag("nightly")
    void quietRanksDoNot() throws Exception {
        assertThat(Launcher.ranks(2)
                        .source(source("Hang.java", HANG))
                        .output(out, err)
                        .environment("COMM4J_QUIET", "1")
                        .timeout(Duration.ofMillis(2500))
                        .run())
                .isEqualTo(124);
        assertThat(errors()).containsExactly("comm4j run: the job has not ended within 2.5 s; ending it");
    }

    /** Starts a launcher in a process of its own and gives the pids of its ranks. */
    private static List<Long> ranksOf(Process launcher) throws IOException {
        BufferedReader reader = launcher.inputReader();
        List<Long> pids = new ArrayList<>();
        Pattern pid = Pattern.compile("\\[\\d] pid (\\d+)");
        for (int i = 0; i < 2; i++) {
            Matcher matcher = pid.matcher(String.valueOf(reader.readLine()));
            assertThat(matcher.matches()).isTrue();
            pids.add(Long.parseLong(matcher.group(1)));
        }
        return pids;
    }

    private static ProcessBuilder launcherProcess(String... arguments) {
        // In the background of a script SIGINT is ignored, under nohup SIGHUP, and who inherits that goes on ignoring
        // them.
        return launcherProcess(List.of("env", "--default-signal=INT,HUP,TERM"), arguments);
    }

    private static ProcessBuilder launcherProcess(List<String> by, String... arguments) {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RankProgram.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    @ParameterizedTest
    @CsvSource({"KILL, 137", "TERM, 143"})
    void ranksEndWithTheirLauncher(String signal, int code) throws Exception {
        end(signal, code);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"INT, 130", "HUP, 129"})
    void ranksEndWithTheirLauncherBySignalsOfTerminals(String signal, int code) throws Exception {
        end(signal, code);
    }

    private static void end(String signal, int code) throws Exception {
        Process launcher = launcherProcess("launch").start();
        List<Long> ranks = ranksOf(launcher);
        RankProgram.kill(signal, launcher.pid());
        assertThat(launcher.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(launcher.exitValue()).isEqualTo(code);
        for (long rank : ranks) {
            assertGone(rank);
        }
    }

    /** As in the background of a script, or under nohup. */
    @Test
    void signalsThatAreIgnoredAtTheStartStayIgnored() throws Exception {
        Process launcher = launcherProcess(List.of("env", "--ignore-signal=INT,HUP"), "launch")
                .start();
        List<Long> ranks = ranksOf(launcher);
        RankProgram.kill("INT", launcher.pid());
        RankProgram.kill("HUP", launcher.pid());
        RankProgram.kill("INT", ranks.getFirst());
        // They would come before this one.
        RankProgram.kill("TERM", launcher.pid());
        assertThat(launcher.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(launcher.exitValue()).isEqualTo(143);
        for (long rank : ranks) {
            assertGone(rank);
        }
    }

    @Test
    void anInterruptedLauncherEndsItsRanks() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                program(2, "wait").run();
            } catch (CommException e) {
                thrown.complete(e);
            }
        });
        while (lines().size() < 2) {
            Thread.sleep(10);
        }
        thread.interrupt();
        assertThat(thrown.get(5, TimeUnit.SECONDS)).hasMessageContaining("interrupted");
        for (String line : lines()) {
            assertGone(Long.parseLong(line.substring("[0] pid ".length())));
        }
    }

    @Test
    void aCompactSourceFileRuns() throws Exception {
        Path file = source("Hello.java", """
            import org.comm4j.core.World;

            void main(String[] args) {
                try (World world = World.join()) {
                    IO.println(String.join("+", args) + " from " + world.rank());
                }
            }
            """);
        assertThat(Launcher.ranks(2).source(file, "a", "b c").output(out, err).run())
                .isZero();
        assertThat(lines()).containsExactlyInAnyOrder("[0] a+b c from 0", "[1] a+b c from 1");
        assertThat(errors()).isEmpty();
    }

    @Test
    void aSourceFileFindsItsNeighboursAndItsFirstClassRuns() throws Exception {
        source(
                "org/example/Helper.java",
                "package org.example; class Helper { static String text() { return \"helped\"; } }");
        source("org/example/number.txt", "7");
        Path file = source("org/example/Program.java", """
            package org.example;

            // package not.this;
            public class Program {
                public static void main(String[] args) throws Exception {
                    try (var number = Program.class.getResourceAsStream("number.txt")) {
                        System.out.println(Helper.text() + new Inner().value() + new String(number.readAllBytes()));
                    }
                }
                static class Inner { int value() { return 1; } }
            }

            class Another {
                public static void main(String[] args) { System.out.println("the wrong one"); }
            }
            """);
        assertThat(Launcher.ranks(1).source(file).output(out, err).run()).isZero();
        assertThat(lines()).containsExactly("helped17");
    }

    @Test
    void compileErrorsAreJavacs() throws Exception {
        Path file = source("Wrong.java", "void main() {\n    int x = \"text\";\n}\n");
        assertThat(Launcher.ranks(2).source(file).output(out, err).run()).isEqualTo(1);
        assertThat(errors())
                .first()
                .asString()
                .isEqualTo(file + ":2: error: incompatible types: String cannot be converted to int");
        assertThat(errors()).last().asString().isEqualTo("1 error");
    }

    @Test
    @Tag("nightly")
    void twoLaunchesAtOnceDoNotDisturbEachOther() throws Exception {
        Path file = source("Pair.java", """
            void main() {
                try (var world = org.comm4j.core.World.join()) {
                    world.publish("k" + world.rank(), new byte[] {(byte) world.rank()});
                    IO.println(world.lookup("k" + (1 - world.rank()))[0]);
                }
            }
            """);
        List<Process> launchers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            launchers.add(launcherProcess("run", "2", file.toString()).start());
        }
        for (Process launcher : launchers) {
            try (Stream<String> lines = launcher.inputReader().lines()) {
                assertThat(lines).containsExactlyInAnyOrder("[0] 1", "[1] 0");
            }
            assertThat(launcher.waitFor()).isZero();
        }
    }

    @Test
    void wrongRequestsAreRefused() {
        assertThatThrownBy(() -> Launcher.ranks(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a job has at least 1 rank, not 0");
        assertThatThrownBy(() -> Launcher.ranks(2).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing to run");
        assertThatThrownBy(() ->
                        Launcher.ranks(2).source(folder.resolve("None.java")).run())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> program(50_000_000, "world").run())
                .isInstanceOf(CommException.class)
                .hasMessageMatching("50000000 ranks need at least 2000000000 MiB of memory, \\d+ MiB are available:"
                        + " start at most \\d+");
        assertThatThrownBy(() -> Launcher.checkMemory(5, 100L << 20))
                .hasMessage("5 ranks need at least 200 MiB of memory, 100 MiB are available: start at most 2");
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        Main a -cp x,                    --class-path ours --module-path mods Main a -cp x
        -cp x Main,                      --class-path x:ours --module-path mods Main
        --class-path=x -Dk=v Main,       --class-path x:ours --module-path mods -Dk=v Main
        -p m --add-modules a -cp x Main, --class-path x:ours --module-path m:mods --add-modules a Main
        -p m -m a/b -p c,                --class-path ours --module-path m:mods -m a/b -p c
        -jar x.jar -cp c,                --class-path ours --module-path mods -jar x.jar -cp c
        -cp x -cp y Main,                --class-path y:ours --module-path mods Main
        """)
    void pathsAreJoined(String words, String expected) {
        assertThat(String.join(" ", Launcher.withPaths(List.of(words.split(" ", -1)), "ours", "mods")))
                .isEqualTo(expected);
    }
}
