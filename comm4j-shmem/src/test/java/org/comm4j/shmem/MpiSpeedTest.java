// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.comm4j.core.contract.HostsRun;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Put and get of the engine mpi: over TCP between two hosts beside MPI_Put and MPI_Get in C, and on one host. */
@Tag("nightly")
@Timeout(240)
class MpiSpeedTest {
    private static final int ROUNDS = 2;
    /** Processes that are said to be on two hosts, and share one's memory, are not to use it. */
    private static final Map<String, String> TCP = Map.of("UCX_TLS", "tcp,self");

    private static final int LIMIT = 60;
    /** The bar is 1 / 0.95 on a machine that does nothing else. */
    private static final double MOST = 3;

    private static final Pattern LINE = Pattern.compile("(?m)^(?:\\[0\\] )?(put|get) (\\d+) (\\d+\\.\\d+)$");

    @TempDir
    private Path folder;

    @Test
    void putAndGetBesideC() throws Exception {
        Path program = folder.resolve("put-get");
        Path compiler = Path.of("/usr/bin/mpicc.mpich");
        if (!compiler.toFile().exists()) {
            throw new TestAbortedException(compiler + " is not here; dev/mpi installs it");
        }
        Process compilation = new ProcessBuilder(
                        compiler.toString(), "-O3", "-o", program.toString(), "src/test/c/put-get.c")
                .inheritIO()
                .start();
        assertThat(compilation.waitFor()).isZero();
        Map<String, Double> c = new LinkedHashMap<>();
        Map<String, Double> java = new LinkedHashMap<>();
        try (Hosts hosts = Hosts.open(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                take(
                        c,
                        HostsRun.command(
                                hosts, folder, MpiLauncher.MPICH_4.mpiexec(), 1, TCP, List.of(program.toString())));
                Map<String, String> environment = Map.of("COMM4J_SHMEM", "mpi", "UCX_TLS", TCP.get("UCX_TLS"));
                take(
                        java,
                        HostsRun.start(
                                hosts,
                                folder,
                                MpiLauncher.MPICH_4.mpiexec(),
                                1,
                                environment,
                                List.of("-XX:TieredStopAtLevel=4", PutGetProgram.class.getName(), "leave")));
            }
        }
        assertThat(java.keySet()).isEqualTo(c.keySet()).hasSize(8);
        c.forEach((what, micros) -> {
            double here = java.get(what);
            System.out.printf("%s: C %.1f us, comm4j %.1f us, %.2f%n", what, micros, here, micros / here);
            assertThat(here).as(what).isLessThan(MOST * micros);
        });
    }

    /** Memory within a host is shared: nothing goes by MPI. */
    @Test
    void onOneHostBesideTheEmbeddedEngine() {
        Map<String, Double> embedded = new LinkedHashMap<>();
        Map<String, Double> mpi = new LinkedHashMap<>();
        String program = PutGetProgram.class.getName();
        for (int round = 0; round < ROUNDS; round++) {
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            int code = Launcher.ranks(2)
                    .java(program)
                    .environment(OpenShmemOptions.VARIABLE, "embedded")
                    .output(output, output)
                    .run();
            take(embedded, code, output.toString(StandardCharsets.UTF_8));
            Map.Entry<Integer, String> end = MpiLauncher.MPICH_4.run(2, Map.of(), program);
            take(mpi, end.getKey(), end.getValue());
        }
        assertThat(mpi.keySet()).isEqualTo(embedded.keySet()).hasSize(8);
        embedded.forEach((what, micros) -> {
            System.out.printf("%s: embedded %.3f us, mpi %.3f us%n", what, micros, mpi.get(what));
            assertThat(mpi.get(what)).as(what).isLessThan(MOST * micros);
        });
    }

    private static void take(Map<String, Double> least, HostsRun run) {
        int code = run.end(LIMIT);
        take(least, code, run.text());
    }

    private static void take(Map<String, Double> least, int code, String text) {
        assertThat(code).as(text).isZero();
        LINE.matcher(text)
                .results()
                .forEach(line ->
                        least.merge(line.group(1) + " " + line.group(2), Double.valueOf(line.group(3)), Math::min));
    }
}
