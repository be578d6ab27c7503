// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Signals of a rank that waits in MPI: they are the JVM's, although some libraries take them at their start. What the
 * JVM needs for its own code, {@link MpiProgram} tries.
 */
@Timeout(60)
class MpiSignalTest {
    private static final Pattern PID = Pattern.compile("\\[0] waiting, pid (\\d+)");

    @Test
    void hangUpOnMpich() throws Exception {
        signal(MpiLibrary.MPICH_4, "HUP", "poll");
    }

    private static Stream<Arguments> combinations() {
        return Stream.of(MpiLibrary.values())
                .flatMap(library -> Stream.of("HUP", "TERM", "INT")
                        .map(signal -> Arguments.of(library, signal, signal.equals("INT") ? "block" : "poll")));
    }

    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("combinations")
    void hooksRun(MpiLibrary library, String signal, String waits) throws Exception {
        signal(library, signal, waits);
    }

    private static void signal(MpiLibrary library, String signal, String waits) throws Exception {
        assumeThat(signal.equals("HUP") && ignoresHangUp())
                .as("SIGHUP reaches processes; nohup keeps it from this one and its children")
                .isFalse();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        var launcher = library.launcher();
        Thread ignored = Thread.ofPlatform()
                .daemon()
                .start(() -> end.complete(Launcher.ranks(2)
                        .by(launcher, List.of())
                        .environment("COMM4J_ENGINE", "mpi")
                        .environment("COMM4J_MPI_WAIT", waits)
                        .java("-XX:TieredStopAtLevel=1", EngineProgram.class.getName(), "wait")
                        .output(said, said)
                        .timeout(Duration.ofSeconds(50))
                        .run()));
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        Matcher pid = PID.matcher("");
        while (!pid.find()) {
            assertThat(System.nanoTime() - limit).as("" + said).isNegative();
            assertThat(end).as("" + said).isNotDone();
            Thread.sleep(20);
            pid = PID.matcher(said.toString(StandardCharsets.UTF_8));
        }
        // So that it waits, and has a hook.
        Thread.sleep(300);
        String stacks =
                output(Path.of(System.getProperty("java.home"), "bin", "jstack").toString(), pid.group(1));
        assertThat(stacks).contains("\"main\"").contains("org.comm4j.mpi.MpiCommunicator");
        String nothing = output("kill", "-" + signal, pid.group(1));
        assertThat(nothing).isEmpty();
        int code = end.get(30, TimeUnit.SECONDS);
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("[0] hook").doesNotContain("SIGSEGV", "hs_err");
        assertThat(code).as(text).isNotZero();
    }

    private static boolean ignoresHangUp() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16) % 2 == 1);
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    private static Stream<Arguments> collectors() {
        return Stream.of("Serial", "Parallel", "G1", "Z", "Shenandoah")
                .flatMap(collector -> Stream.of(MpiLibrary.OPEN_MPI_4, MpiLibrary.MPICH_4)
                        .map(library -> Arguments.of(library, collector)));
    }

    /** Some find what they need by signals of their own. */
    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("collectors")
    void everyCollector(MpiLibrary library, String collector) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(library.launcher(), List.of())
                .jvmOptions("-XX:+Use" + collector + "GC")
                .java(MpiProgram.class.getName())
                .output(said, said)
                .timeout(Duration.ofSeconds(50))
                .run();
        assertThat(code).as("" + said).isZero();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("[0] caught 2000 overflow truncated", "[1] caught 2000 overflow truncated");
    }
}
