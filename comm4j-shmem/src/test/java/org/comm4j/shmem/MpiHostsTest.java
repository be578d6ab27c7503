// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine mpi on two hosts with two PEs each, with nothing set: it is chosen there by itself. */
@Timeout(120)
class MpiHostsTest {
    @TempDir
    private Path folder;

    @Test
    void whoeverWaitsServesTheOthers() {
        try (Hosts hosts = Hosts.open(2)) {
            Map.Entry<Integer, String> end = mpich(hosts, folder, FaultProgram.class.getName(), "serve");
            assertThat(end.getKey()).as(end.getValue()).isZero();
            // Of each host, only the second one reaches the last PE.
            assertLines(end.getValue(), 2, "true served 1000");
            assertLines(end.getValue(), 2, "false served 1000");
        }
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"put", "reduce", "barrier"})
    void whoeverWaitsForADeadPeIsToldWhichOne(String operation) {
        try (Hosts hosts = Hosts.open(2)) {
            Map.Entry<Integer, String> end = openMpi(hosts, folder, FaultProgram.class.getName(), "die", operation);
            assertThat(end.getKey()).as(end.getValue()).isEqualTo(9);
            assertLines(end.getValue(), 3, "told of 1: ");
            assertLines(end.getValue(), 3, "survived");
        }
    }

    private static void assertLines(String text, int count, String part) {
        assertThat(text.lines().filter(line -> line.contains(part))).as(text).hasSize(count);
    }

    /** All that is promised, on two hosts. */
    @Nested
    @Tag("nightly")
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Contract extends ProcessesContract {
        private final Path shell = temporary();
        private final Hosts hosts = Hosts.open(2);

        @Override
        List<Integer> sizes() {
            return List.of(4);
        }

        @Override
        Map.Entry<Integer, String> start(int pes, String... words) {
            return mpich(hosts, shell, words);
        }

        @AfterAll
        void close() throws IOException {
            hosts.close();
            Files.deleteIfExists(shell.resolve("remote-shell"));
            Files.deleteIfExists(shell);
        }
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("comm4j-hosts");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    static void needsLaunchers() {
        var ignored = MpiLauncher.MPICH_4.mpiexec();
    }

    private static Map.Entry<Integer, String> mpich(Hosts hosts, Path folder, String... words) {
        return run(
                hosts,
                Map.of(),
                List.of(
                        MpiLauncher.MPICH_4.mpiexec().file().toString(),
                        "-launcher",
                        "ssh",
                        "-launcher-exec",
                        shell(hosts, folder),
                        "-iface",
                        "eth0",
                        "-hosts",
                        hosts.address(0) + "," + hosts.address(1),
                        "-ppn",
                        "2",
                        "-n",
                        "4"),
                words);
    }

    private static Map.Entry<Integer, String> openMpi(Hosts hosts, Path folder, String... words) {
        return run(
                hosts,
                Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                List.of(
                        MpiLauncher.OPEN_MPI_4.mpiexec().file().toString(),
                        "--mca",
                        "plm",
                        "rsh",
                        "--mca",
                        "plm_rsh_agent",
                        shell(hosts, folder),
                        "--mca",
                        "btl_tcp_if_include",
                        "eth0",
                        "--mca",
                        "oob_tcp_if_include",
                        "eth0",
                        "--host",
                        hosts.address(0) + ":2," + hosts.address(1) + ":2",
                        "-n",
                        "4"),
                words);
    }

    private static String shell(Hosts hosts, Path folder) {
        try {
            return hosts.remoteShell(folder).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map.Entry<Integer, String> run(
            Hosts hosts, Map<String, String> environment, List<String> launcher, String... words) {
        List<String> all = new ArrayList<>(launcher);
        all.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        all.addAll(List.of(words));
        ProcessBuilder builder = hosts.command(0, all).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("COMM4J_"));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).as(text).isTrue();
            return Map.entry(process.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
