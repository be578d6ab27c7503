// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Hosts;
import org.comm4j.test.SimulatedLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** NVSHMEM on two hosts with nothing set: its processes meet by MPI. The GPUs are simulated. */
@Tag("nightly")
@Timeout(90)
class NvshmemHostsTest {
    private static final Path LAUNCHER = Path.of("/usr/bin/mpiexec.mpich");

    @TempDir
    private Path folder;

    @Test
    void theWorldIsMadeByMpi() throws Exception {
        assumeTrue(Files.isExecutable(LAUNCHER), LAUNCHER + " is not here; dev/mpi installs it");
        Path library = SimulatedLibrary.compile(Path.of("../comm4j-nvshmem/src/test/c/simulation.c"));
        try (Hosts hosts = Hosts.open(2)) {
            List<String> words = new ArrayList<>(List.of(
                    LAUNCHER.toString(),
                    "-launcher",
                    "ssh",
                    "-launcher-exec",
                    hosts.remoteShell(folder).toString(),
                    "-iface",
                    "eth0",
                    "-hosts",
                    hosts.address(0) + "," + hosts.address(1),
                    "-ppn",
                    "2",
                    "-n",
                    "4",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Dorg.comm4j.cuda.library=" + library,
                    "-Dorg.comm4j.nvshmem.library=" + library,
                    "-cp",
                    System.getProperty("java.class.path"),
                    NvshmemHostsProgram.class.getName()));
            ProcessBuilder builder = hosts.command(0, words);
            builder.environment().keySet().removeIf(name -> name.startsWith("COMM4J_"));
            Outcome outcome = Running.start(builder, folder).end(Duration.ofSeconds(80));
            assertThat(outcome.code()).as(outcome.toString()).isZero();
            for (int pe = 0; pe < 4; pe++) {
                assertThat(outcome.lines()).contains("PE " + pe + " of 4, 2 on its host, got " + (pe + 3) % 4);
            }
        }
    }
}
