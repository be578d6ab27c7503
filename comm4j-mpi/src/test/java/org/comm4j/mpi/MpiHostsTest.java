// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.contract.HostsRun;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program on several hosts, two ranks on each, with nothing set: the launchers get them there by a remote shell. */
@Timeout(120)
class MpiHostsTest {
    private static final int PATIENCE = 60;
    /** The bar is 300 ms on a machine that does nothing else. */
    private static final long MOST_JOIN_MILLIS = 2000;

    private static final int JOIN_ROUNDS = 3;

    @TempDir
    private Path folder;

    private HostsRun start(Hosts hosts, MpiLibrary library, Class<?> program, String... arguments) {
        return start(hosts, library, Map.of(), program, arguments);
    }

    private HostsRun start(
            Hosts hosts, MpiLibrary library, Map<String, String> environment, Class<?> program, String... arguments) {
        List<String> words = Stream.concat(Stream.of(program.getName()), List.of(arguments).stream())
                .toList();
        return HostsRun.start(hosts, folder, library.launcher(), 2, environment, words);
    }

    private static void assertLines(String text, int count, String part) {
        assertThat(text.lines().filter(line -> line.contains(part))).as(text).hasSize(count);
    }

    @Test
    void mpich() {
        everything(MpiLibrary.MPICH_4, 2);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"OPEN_MPI_4, 2", "OPEN_MPI_4, 3", "MPICH_4, 3", "MPICH_5, 2", "STANDARD, 2"})
    void others(MpiLibrary library, int hosts) {
        everything(library, hosts);
    }

    private void everything(MpiLibrary library, int count) {
        try (Hosts hosts = Hosts.open(count)) {
            HostsRun run = start(hosts, library, MpiProgram.class);
            int code = run.end(PATIENCE);
            assertThat(code).as(run.text()).isZero();
            int ranks = 2 * count;
            int sum = ranks * (ranks + 1) / 2;
            String half = "half " + (sum - ranks / 2.0);
            assertLines(run.text(), ranks, "sum " + sum + ".0 " + half + " extreme NaN 0.0 byte " + ranks * 200 % 256);
        }
    }

    /** As the first program of the README. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4"})
    void withNothingSetButTheEngine(MpiLibrary library) {
        try (Hosts hosts = Hosts.open(2)) {
            HostsRun run = start(hosts, library, Map.of("COMM4J_ENGINE", "mpi"), EngineProgram.class, "sum");
            assertThat(run.end(PATIENCE)).as(run.text()).isZero();
            assertLines(run.text(), 4, "mpi sum 10.0 of 4");
        }
    }

    /** A processor for each rank, as hosts have. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "OPEN_MPI_5", "MPICH_4", "MPICH_5", "INTEL"})
    void theWorldIsJoinedSoonAfterMpiHasBegun(MpiLibrary library) {
        try (Hosts hosts = Hosts.open(2)) {
            long init = Long.MAX_VALUE;
            long join = Long.MAX_VALUE;
            for (int round = 0; round < JOIN_ROUNDS; round++) {
                init = Math.min(init, slowest(hosts, library, "init"));
                join = Math.min(join, slowest(hosts, library, "join"));
            }
            System.out.println(library + ": init " + init + " ms, join " + join + " ms");
            assertThat(join - init).isLessThan(MOST_JOIN_MILLIS);
        }
    }

    /** Returns the milliseconds of the slower one of two ranks, each on a host of its own. */
    private long slowest(Hosts hosts, MpiLibrary library, String what) {
        HostsRun run = HostsRun.start(
                hosts, folder, library.launcher(), 1, Map.of(), List.of(EngineProgram.class.getName(), what));
        assertThat(run.end(PATIENCE)).as(run.text()).isZero();
        List<Long> millis = Pattern.compile(what + ".* took (\\d+) ms")
                .matcher(run.text())
                .results()
                .map(each -> Long.valueOf(each.group(1)))
                .toList();
        assertThat(millis).as(run.text()).hasSize(2);
        return Collections.max(millis);
    }

    /** A rank, or all of the other host; whoever waits is told, or is ended by the launcher. */
    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"OPEN_MPI_4, rank", "OPEN_MPI_4, host", "MPICH_4, rank", "MPICH_4, host"})
    void death(MpiLibrary library, String whose) {
        try (Hosts hosts = Hosts.open(2)) {
            HostsRun run = start(hosts, library, Map.of("COMM4J_ENGINE", "mpi"), EngineProgram.class, "wait");
            run.awaitLines(4, "waiting, pid", PATIENCE);
            long start = System.nanoTime();
            if (whose.equals("host")) {
                hosts.kill(1);
            } else {
                hosts.processes(1).stream()
                        .filter(each -> each.info().command().orElse("").endsWith("/java"))
                        .findFirst()
                        .orElseThrow()
                        .destroyForcibly();
            }
            assertThat(run.end(PATIENCE)).as(run.text()).isNotZero();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
            assertNobodyIsLeft(hosts);
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"OPEN_MPI_4", "MPICH_4"})
    void theLauncherIsKilled(MpiLibrary library) {
        try (Hosts hosts = Hosts.open(2)) {
            HostsRun run = start(hosts, library, Map.of("COMM4J_ENGINE", "mpi"), EngineProgram.class, "wait");
            run.awaitLines(4, "waiting, pid", PATIENCE);
            run.killLauncher();
            assertNobodyIsLeft(hosts);
        }
    }

    private static void assertNobodyIsLeft(Hosts hosts) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        for (int host = 0; host < hosts.size(); host++) {
            while (!hosts.processes(host).isEmpty()) {
                assertThat(System.nanoTime() - end)
                        .as("still on host " + host + ": "
                                + hosts.processes(host).stream()
                                        .map(each -> each.info().commandLine().orElse("?"))
                                        .toList())
                        .isNegative();
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted", e);
                }
            }
        }
    }

    /** MPICH's own pretence of two hosts, and of one for each rank, which need no rights. */
    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"MPIR_CVAR_ODD_EVEN_CLIQUES", "MPIR_CVAR_NOLOCAL"})
    void pretended(String variable) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(MpiLibrary.MPICH_4.launcher(), List.of())
                .environment(variable, "1")
                .java(MpiProgram.class.getName())
                .output(said, said)
                .timeout(Duration.ofSeconds(50))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertLines(text, 2, "sum 3.0 half 2.0 extreme NaN 0.0 byte 144");
    }
}
