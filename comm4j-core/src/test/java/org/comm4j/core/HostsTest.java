// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on two hosts, which are network namespaces of this machine. */
@Timeout(60)
class HostsTest {
    @TempDir
    private Path folder;

    /** A rank as a launcher would start it, with nothing of the machine's temporary folders in common. */
    private Process rank(Hosts hosts, int host, Map<String, String> variables, String... arguments) throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("tmp" + host));
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                HostsProgram.class.getName()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = hosts.command(host, words).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("COMM4J_"));
        builder.environment().put("XDG_RUNTIME_DIR", temporary.toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    private Map<String, String> openMpi(int rank) {
        return new HashMap<>(Map.of(
                "OMPI_COMM_WORLD_RANK",
                "" + rank,
                "OMPI_COMM_WORLD_SIZE",
                "4",
                "OMPI_COMM_WORLD_LOCAL_RANK",
                "" + rank % 2,
                "OMPI_COMM_WORLD_LOCAL_SIZE",
                "2",
                "PMIX_NAMESPACE",
                "1234",
                FolderBootstrap.VARIABLE,
                rank + " 4 " + folder));
    }

    private static String text(Process process) throws IOException, InterruptedException {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    /** Nothing is set, and the hosts share no folder but the service's. */
    @Test
    void ranksMeetByAServiceAndHearThatAHostDied() throws Exception {
        try (Hosts hosts = Hosts.open(2)) {
            List<Process> ranks = new ArrayList<>();
            for (int rank = 0; rank < 4; rank++) {
                ranks.add(rank(hosts, rank / 2, openMpi(rank), "wait"));
            }
            List<String> lines = new ArrayList<>();
            List<BufferedReader> readers = new ArrayList<>();
            for (Process each : ranks) {
                readers.add(each.inputReader());
                lines.add(String.valueOf(readers.getLast().readLine()));
            }
            assertThat(lines).containsOnly("met Open MPI [0/4 0/2, 1/4 1/2, 2/4 0/2, 3/4 1/2]");
            long start = System.nanoTime();
            hosts.kill(1);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(readers.get(rank).readLine())
                        .matches("dead " + rank + " rank " + rank
                                + ": the lookup of 'never' cannot complete: rank [23] died.*");
                assertThat(readers.get(rank).readLine()).startsWith("leaving " + rank + ", [");
            }
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
            for (int rank = 0; rank < 2; rank++) {
                assertThat(ranks.get(rank).waitFor(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void torchrunMeetsBesideMasterPort() throws Exception {
        try (Hosts hosts = Hosts.open(2)) {
            List<Process> ranks = new ArrayList<>();
            for (int rank = 1; rank >= 0; rank--) {
                ranks.add(rank(
                        hosts,
                        rank,
                        Map.of(
                                "RANK", "" + rank,
                                "WORLD_SIZE", "2",
                                "LOCAL_RANK", "0",
                                "LOCAL_WORLD_SIZE", "1",
                                "MASTER_ADDR", hosts.address(0),
                                "MASTER_PORT", "29500",
                                "TORCHELASTIC_RUN_ID", "none")));
            }
            for (Process each : ranks) {
                assertThat(text(each)).isEqualTo("met torchrun [0/2 0/1, 1/2 0/1]\n");
            }
        }
    }
}
