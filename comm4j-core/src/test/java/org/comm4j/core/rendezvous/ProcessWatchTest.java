// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ProcessWatchTest {
    @TempDir
    private Path folder;

    private final ProcessWatch watch = new ProcessWatch(Duration.ofMillis(20));
    private final Process shell = start();

    /** A shell, whose first line is the number of a process that it has started and never asks about. */
    private static Process start() {
        try {
            return new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec sleep 60").start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void end() throws Exception {
        watch.close();
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly().waitFor();
    }

    private static Message.ProcessId id(long pid) throws IOException {
        ByteBuffer stat = ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")));
        return new Message.ProcessId(
                requireNonNull(ProcessWatch.self()).namespace(), pid, ProcessWatch.field(stat, 22));
    }

    @Test
    void anEndIsNoticedOnce() throws Exception {
        CountDownLatch ends = new CountDownLatch(2);
        watch.watch(id(shell.pid()), ends::countDown);
        assertThat(ends.await(200, TimeUnit.MILLISECONDS)).isFalse();
        shell.destroyForcibly();
        assertThat(ends.await(500, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(ends.getCount()).isEqualTo(1);
    }

    @Test
    void aProcessThatNobodyHasAskedAboutHasEnded() throws Exception {
        BufferedReader output = shell.inputReader(StandardCharsets.UTF_8);
        long pid = Long.parseLong(requireNonNull(output.readLine()));
        CountDownLatch ends = new CountDownLatch(1);
        watch.watch(id(pid), ends::countDown);
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        assertThat(ends.await(2, TimeUnit.SECONDS)).isTrue();
        // Its parent has not asked: the system still has its number.
        assertThat(Path.of("/proc", Long.toString(pid))).exists();
    }

    @Test
    void whatIsAnotherProcessIsNotWatched() throws Exception {
        CountDownLatch ends = new CountDownLatch(1);
        Message.ProcessId id = id(shell.pid());
        watch.watch(new Message.ProcessId("elsewhere", id.pid(), id.start()), ends::countDown);
        watch.watch(new Message.ProcessId(id.namespace(), id.pid(), id.start() - 1), ends::countDown);
        watch.watch(id, ends::countDown).close();
        shell.destroyForcibly().waitFor();
        assertThat(ends.await(200, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void namesOfProgramsAreNoFields() {
        ByteBuffer stat = ByteBuffer.wrap("71 (a) b) 1 (c) S 4 5 6 7 -1 4194308 10".getBytes(StandardCharsets.UTF_8));
        assertThat(ProcessWatch.field(stat, 4)).isEqualTo(4);
        assertThat(ProcessWatch.field(stat, 8)).isZero();
        assertThat(ProcessWatch.field(stat, 9)).isEqualTo(4194308);
        assertThat(ProcessWatch.field(stat, 10)).isEqualTo(10);
        assertThat(ProcessWatch.field(stat, 22)).isZero();
    }

    @Test
    void aRankThatHostsTheRendezvousIsMissed() throws Exception {
        List<Process> ranks = List.of(rank(0), rank(1));
        try (BufferedReader lines = ranks.get(1).inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine())
                    .isEqualTo("in time: rank 1: rank 0, which hosted the rendezvous, died: its process ended");
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
    }

    /** A rank of two as Open MPI starts it, of which the first one is killed while a child has its sockets. */
    private Process rank(int rank) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.comm4j.core.launch.RankProgram",
                        "killed while a child has its sockets",
                        "0")
                .redirectErrorStream(true);
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("COMM4J_"));
        variables.put("XDG_RUNTIME_DIR", folder.toString());
        variables.put("PMIX_NAMESPACE", "watched");
        for (String which : List.of("", "LOCAL_")) {
            variables.put("OMPI_COMM_WORLD_" + which + "RANK", Integer.toString(rank));
            variables.put("OMPI_COMM_WORLD_" + which + "SIZE", "2");
        }
        return builder.start();
    }
}
