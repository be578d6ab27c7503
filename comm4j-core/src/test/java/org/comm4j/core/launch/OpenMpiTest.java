// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A world under the machine's own Open MPI, where rank 0 hosts the rendezvous. */
@Timeout(30)
class OpenMpiTest {

    @Test
    void mpirunStartsAWorld() throws Exception {
        Path mpirun = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "mpirun"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeThat(mpirun).as("mpirun is on the PATH").isNotNull();
        assumeThat(output(List.of(mpirun.toString(), "--version"))).anyMatch(l -> l.contains("Open MPI"));

        List<String> command = new ArrayList<>(List.of(mpirun.toString(), "--oversubscribe", "-n", "3"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RankProgram.class.getName(),
                "world"));
        assertThat(output(command))
                .filteredOn(l -> l.startsWith("World"))
                .containsExactlyInAnyOrder(
                        "World[rank 0 of 3, local 0 of 3, Open MPI]",
                        "World[rank 1 of 3, local 1 of 3, Open MPI]",
                        "World[rank 2 of 3, local 2 of 3, Open MPI]");
    }

    private static List<String> output(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // In containers, tests often run as root.
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        Process process = builder.start();
        try (Stream<String> lines = process.inputReader().lines()) {
            List<String> all = lines.toList();
            assertThat(process.waitFor()).as(String.join("\n", all)).isZero();
            return all;
        }
    }
}
