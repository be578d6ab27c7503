// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
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
 * Random operations at random times on two hosts, beside plain sequential Java. {@code -Dcomm4j.test.soak=3600} makes
 * it last an hour for each library, {@code -Dcomm4j.seed=…} brings the same operations again.
 */
@Tag("nightly")
class MpiSoakTest {
    private static final int SECONDS = Integer.getInteger("comm4j.test.soak", 20);
    private static final int START = 60;
    /** All of the heap is resident from the start, so that what grows is not the heap. */
    private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch");

    private static final long SEED =
            Long.getLong("comm4j.seed", ThreadLocalRandom.current().nextLong(1L << 40));

    @TempDir
    private Path folder;

    /** Open MPI has no windows between hosts over TCP. */
    @ParameterizedTest
    @CsvSource({"MPICH_4, true", "OPEN_MPI_4, false", "MPICH_5, true", "OPEN_MPI_5, false", "INTEL, true"})
    void twoHosts(MpiLibrary library, boolean windows) {
        try (Hosts hosts = Hosts.open(2)) {
            List<String> words = new ArrayList<>(HEAP);
            words.addAll(List.of(SoakProgram.class.getName(), "" + SECONDS, "" + SEED, "" + windows));
            HostsRun run = HostsRun.start(hosts, folder, library.launcher(), 2, Map.of(), words);
            int code = run.end(SECONDS + START);
            System.out.println(library + ", seed " + SEED + ":\n" + run.text());
            assertThat(code).as(run.text()).isZero();
            assertThat(run.text().lines().filter(line -> line.contains("soaked: ") && line.endsWith("no growth")))
                    .as(run.text())
                    .hasSize(4);
        }
    }
}
