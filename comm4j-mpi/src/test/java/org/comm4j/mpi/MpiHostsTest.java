// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program on several hosts, two ranks on each, with nothing set: the launchers get them there by a remote shell. */
@Timeout(60)
class MpiHostsTest {
    @TempDir
    private Path folder;

    @Test
    void mpich() throws Exception {
        Mpiexec launcher = MpiLibrary.MPICH_4.launcher();
        try (Hosts hosts = Hosts.open(2)) {
            check(
                    hosts,
                    Map.of(),
                    List.of(
                            launcher.file().toString(),
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
                            "4"));
        }
    }

    @Tag("nightly")
    @Test
    void openMpi() throws Exception {
        Mpiexec launcher = MpiLibrary.OPEN_MPI_4.launcher();
        try (Hosts hosts = Hosts.open(2)) {
            check(
                    hosts,
                    Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                    List.of(
                            launcher.file().toString(),
                            "--mca",
                            "plm",
                            "rsh",
                            "--mca",
                            "plm_rsh_agent",
                            hosts.remoteShell(folder).toString(),
                            "--mca",
                            "btl_tcp_if_include",
                            "eth0",
                            "--mca",
                            "oob_tcp_if_include",
                            "eth0",
                            "--host",
                            hosts.address(0) + ":2," + hosts.address(1) + ":2",
                            "-n",
                            "4"));
        }
    }

    private static void check(Hosts hosts, Map<String, String> environment, List<String> launcher)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(launcher);
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MpiProgram.class.getName()));
        ProcessBuilder builder = hosts.command(0, words).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("COMM4J_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        // 4 x 200 modulo 256 is 32.
        assertThat(text.lines().filter(line -> line.contains("sum 10.0 half 8.0 extreme NaN 0.0 byte 32")))
                .as(text)
                .hasSize(4);
    }
}
