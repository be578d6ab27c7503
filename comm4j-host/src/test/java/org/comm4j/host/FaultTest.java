// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happens when processes die, stop, or run out of memory. Real processes throughout. */
@Timeout(60)
class FaultTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private Launcher program(int ranks, String... arguments) {
        List<String> words = new ArrayList<>(List.of(FaultProgram.class.getName()));
        words.addAll(List.of(arguments));
        return Launcher.ranks(ranks)
                // In short lives the first compiler is enough.
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofSeconds(45))
                .output(output, output);
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private Stream<String> lines(String pattern) {
        return text().lines().filter(line -> line.matches(pattern));
    }

    private void assertAllGone() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        for (String line : lines(".* pid \\d+").toList()) {
            long pid = Long.parseLong(line.replaceAll(".* ", ""));
            while (ProcessHandle.of(pid).isPresent() && !isZombie(pid)) {
                assertThat(System.nanoTime()).as(line + " is still there").isLessThan(deadline);
                Thread.sleep(10);
            }
        }
    }

    private static boolean isZombie(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z");
        } catch (IOException e) {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource("kill, 1, 137, 0")
    void whoeverWaitsForADeadRankIsToldWhichOne(String how, int victim, int exitCode, String checked) throws Exception {
        int code = program(3, "die", how, Integer.toString(victim))
                .keepGoing(true)
                .environment("COMM4J_CHECKED", checked)
                .run();
        assertThat(code).as(text()).isEqualTo(exitCode);
        assertThat(lines(".*survived")).as(text()).hasSize(2);
        Pattern pattern = Pattern.compile("\\[(\\d)] ended (\\w+) named after (-?\\d+) ms: .*");
        long slowest = 0;
        int ended = 0;
        for (String line : lines(".* ended .*").toList()) {
            Matcher matcher = pattern.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            if (how.equals("throw") || how.equals("unwind")) {
                assertThat(line).contains("has thrown java.lang.IllegalStateException: on purpose");
            }
            slowest = Math.max(slowest, Long.parseLong(matcher.group(3)));
            ended++;
        }
        long operations = Arrays.stream(BlockedOperation.values())
                .filter(each -> !(how.equals("unwind") && each.waitsForMemory()))
                .count();
        // And HostShmem.init.
        assertThat(ended).isEqualTo(2 * (operations + 1));
        System.out.println(how + ": the last of " + ended + " waits ended after " + slowest + " ms");
        // Nobody waits until patience ends, however busy the machine is.
        assertThat(slowest).isLessThan(10_000);
        assertAllGone();
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"term, 0, 143, 1", "exit, 1, 3, 0", "throw, 2, 1, 0", "unwind, 1, 1, 0", "unwind, 1, 1, 1"})
    void whoeverWaitsForOneThatDiesOtherwiseIsToldWhichOne(String how, int victim, int exitCode, String checked)
            throws Exception {
        whoeverWaitsForADeadRankIsToldWhichOne(how, victim, exitCode, checked);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"exit; 2/0; 3; 9"})
    void thoseThatLiveGoOn(String how, String deaths, int ranks, int exitCode) throws Exception {
        int dead = deaths.split("[/,]").length;
        int code = program(ranks, "lose", how, deaths).keepGoing(true).run();
        assertThat(code).as(text()).isEqualTo(exitCode);
        assertThat(lines(".* finished")).as(text()).hasSize(ranks - dead);
        assertThat(lines(".*RankFailedException.* finished")).as(text()).hasSize(ranks - dead);
        assertAllGone();
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"kill; 3/1; 4; 137", "exit; 0/2; 4; 9", "kill; 1,2; 4; 137", "exit; 7/6,5,4/0,1; 8; 9"})
    void thoseThatLiveGoOnFurther(String how, String deaths, int ranks, int exitCode) throws Exception {
        thoseThatLiveGoOn(how, deaths, ranks, exitCode);
    }

    @Test
    void aJobWithADeadRankEnds() throws Exception {
        long start = System.nanoTime();
        int code = program(3, "work").run();
        assertThat(code).as(text()).isEqualTo(137);
        assertThat(text()).contains("rank 1 (pid").contains("SIGKILL");
        assertAllGone();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @CsvSource({"creator, 0, 9", "mapper, 1, 137", "mapped, 1, 137"})
    void aRankThatDiesWhileTheHeapIsMadeIsNamedAndNothingStaysMapped(String who, int victim, int exitCode)
            throws Exception {
        int ranks = Nightly.isOn() ? 3 : 2;
        int code = program(ranks, who).keepGoing(true).run();
        assertThat(code).as(text()).isEqualTo(exitCode);
        assertThat(lines(".* named .*")).as(text()).hasSize(ranks - 1);
        assertThat(lines(".* unmapped")).as(text()).hasSize(ranks - 1);
        assertAllGone();
    }

    @Test
    void aStoppedRankIsNoDeadRankAndWaitingForItCostsNothing() {
        assertThat(program(2, "stop").run()).as(text()).isZero();
        Pattern pattern = Pattern.compile("\\[0] blocked (\\w+) (\\d+) us, processor (\\d+) us");
        List<String> blocked = lines(".* blocked .*").toList();
        assertThat(blocked).hasSize(2);
        for (String line : blocked) {
            System.out.println(line);
            Matcher matcher = pattern.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            long micros = Long.parseLong(matcher.group(2));
            // It may be late to be blocked.
            assertThat(micros).isGreaterThan(200_000);
            assertThat(Long.parseLong(matcher.group(3))).isLessThan(micros / 20);
        }
    }

    @Test
    void aHeapThatDoesNotFitIntoTheAddressSpaceIsSmaller() {
        int code = program(2, "narrow").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines("\\[\\d] sum 2.0")).as(text()).hasSize(2);
    }

    @Test
    void anExhaustedHeapIsAnExceptionAndTheJobGoesOn() {
        int code = program(2, "small-heap").environment(HeapSize.VARIABLE, "4M").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines(".* exhausted: allocate of 2500000 x INT8 on PE \\d of 2: needs 2.4 MiB.*heap of 4.0 MiB.*"))
                .as(text())
                .hasSize(2);
        assertThat(lines("\\[1] exhausted alone: allocate of 5242880 x INT8 on rank 1 of 2: .*heap of 4.0 MiB.*"))
                .as(text())
                .hasSize(1);
        assertThat(lines(".* goes on with SymmetricArray\\[2500000 x INT8]"))
                .as(text())
                .hasSize(2);
    }

    @Test
    void aHeapSizeThatIsNoneIsRefused() {
        int code = program(2, "init").environment(HeapSize.VARIABLE, "lots").run();
        assertThat(code).as(text()).isEqualTo(1);
        assertThat(text()).contains("COMM4J_HEAP_SIZE is 'lots', which is not a size like");
    }

    @Test
    void twoJobsAtOnceDoNotMeet() {
        ByteArrayOutputStream other = new ByteArrayOutputStream();
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(
                () -> program(2, "sum", "2").output(other, other).run());
        assertThat(program(2, "sum", "1").run()).as(text()).isZero();
        assertThat(second.join()).as(other.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(lines(".*sums of job 1 are right")).hasSize(2);
        assertThat(other.toString(StandardCharsets.UTF_8)).contains("sums of job 2 are right");
    }

    /** In a mount namespace of its own, where /dev/shm holds one page, and that is taken. */
    @Test
    void aFullSharedMemoryFolderDoesNotMatterAndNothingIsLeftThere() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "unshare",
                        "-rm",
                        "sh",
                        "-c",
                        """
                        mount -t tmpfs -o size=4k tmpfs /dev/shm || exit 77
                        head -c 4096 /dev/zero > /dev/shm/full
                        head -c 4096 /dev/zero > /dev/shm/more 2> /dev/null && exit 78
                        rm -f /dev/shm/more
                        "$@" || exit $?
                        echo left: $(ls -A /dev/shm)
                        """,
                        "sh",
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FaultProgram.class.getName(),
                        "launch")
                .redirectErrorStream(true)
                .start();
        output.write(process.getInputStream().readAllBytes());
        int code = process.waitFor();
        if (text().contains("unshare:") || code == 77) {
            abort("no mount namespace here: " + text().strip());
        }
        assertThat(code).as(text()).isZero();
        assertThat(lines(".*sums of job 1 are right")).hasSize(2);
        assertThat(lines("left: .*")).containsExactly("left: full");
    }
}
