// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.comm4j.core.contract.HostsRun;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random one-sided operations at random times on two hosts, beside plain Java. {@code -Dcomm4j.test.soak=3600} makes it
 * last an hour for each library, {@code -Dcomm4j.seed=…} brings the same operations again.
 */
@Tag("nightly")
class MpiSoakTest {
    private static final int SECONDS = Integer.getInteger("comm4j.test.soak", 20);
    private static final int START = 60;
    private static final long SEED =
            Long.getLong("comm4j.seed", ThreadLocalRandom.current().nextLong(1L << 40));

    @TempDir
    private Path folder;

    /** With Open MPI also the engine that is chosen there by itself, its own OpenSHMEM library. */
    @ParameterizedTest
    @CsvSource({"MPICH_4, auto", "OPEN_MPI_4, mpi", "OPEN_MPI_4, auto"})
    void twoHosts(MpiLauncher launcher, String engine) {
        try (Hosts hosts = Hosts.open(2)) {
            List<String> words = List.of(SoakProgram.class.getName(), "" + SECONDS, "" + SEED);
            HostsRun run = HostsRun.start(hosts, folder, launcher.mpiexec(), 2, Map.of("COMM4J_SHMEM", engine), words);
            int code = run.end(SECONDS + START);
            System.out.println(launcher + ", " + engine + ", seed " + SEED + ":\n" + run.text());
            assertThat(code).as(run.text()).isZero();
            assertThat(run.text().lines().filter(line -> line.contains("soaked: ")))
                    .as(run.text())
                    .hasSize(4);
        }
    }
}
