// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.comm4j.core.contract.HostsRun;
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
    private static final int LIMIT = 110;

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

    @Nested
    @Tag("nightly")
    class Mpich extends Contract {
        Mpich() {
            super(MpiLauncher.MPICH_4);
        }
    }

    @Nested
    @Tag("nightly")
    class OpenMpi extends Contract {
        OpenMpi() {
            super(MpiLauncher.OPEN_MPI_4);
        }
    }

    /** All that is promised, on two hosts. */
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Contract extends ProcessesContract {
        private final Path shell = temporary();
        private final Hosts hosts = Hosts.open(2);
        private final MpiLauncher launcher;

        Contract(MpiLauncher launcher) {
            this.launcher = launcher;
        }

        @BeforeAll
        void needsLauncher() {
            var ignored = launcher.mpiexec();
        }

        @Override
        List<Integer> sizes() {
            return List.of(4);
        }

        @Override
        Map.Entry<Integer, String> start(int pes, String... words) {
            return MpiHostsTest.run(hosts, shell, launcher, Map.of("COMM4J_SHMEM", "mpi"), words);
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
        return run(hosts, folder, MpiLauncher.MPICH_4, Map.of(), words);
    }

    private static Map.Entry<Integer, String> openMpi(Hosts hosts, Path folder, String... words) {
        return run(hosts, folder, MpiLauncher.OPEN_MPI_4, Map.of(), words);
    }

    private static Map.Entry<Integer, String> run(
            Hosts hosts, Path folder, MpiLauncher launcher, Map<String, String> environment, String... words) {
        HostsRun run = HostsRun.start(hosts, folder, launcher.mpiexec(), 2, environment, List.of(words));
        int code = run.end(LIMIT);
        return Map.entry(code, run.text());
    }
}
