// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Hosts;
import org.comm4j.test.SimulatedLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** NCCL and NVSHMEM on two hosts with nothing set: their processes meet by MPI. Both and the GPUs are simulated. */
@Tag("nightly")
@Timeout(90)
class SimulatedHostsTest {

    @TempDir
    private Path folder;

    /** Each process puts its number into the memory of the next one. */
    @Test
    void nvshmem() throws Exception {
        Path library = SimulatedLibrary.compile(Path.of("../comm4j-nvshmem/src/test/c/simulation.c"));
        Outcome outcome = run(library, "nvshmem", NvshmemHostsProgram.class);
        for (int pe = 0; pe < 4; pe++) {
            assertThat(outcome.lines()).contains("PE " + pe + " of 4, 2 on its host, got " + (pe + 3) % 4);
        }
    }

    /** All get the one id that rank 0 has asked NCCL for, and tell NCCL their number in the world. */
    @Test
    void nccl() throws Exception {
        Path library = SimulatedLibrary.compile(Path.of("../comm4j-nccl/src/test/c/simulation.c"), "-DALONE");
        Outcome outcome = run(library, "nccl", NcclHostsProgram.class);
        List<String> begun = outcome.err()
                .lines()
                .filter(line -> line.startsWith("ncclCommInitRank"))
                .sorted()
                .toList();
        assertThat(begun).as(outcome.toString()).hasSize(4);
        String id = begun.getFirst().replaceAll(".* id ", "");
        for (int rank = 0; rank < 4; rank++) {
            assertThat(begun.get(rank)).isEqualTo("ncclCommInitRank " + rank + " of 4, id " + id);
            assertThat(outcome.lines()).contains("NCCL rank " + rank + " of 4, GPU " + rank % 2);
        }
    }

    private Outcome run(Path library, String name, Class<?> program) throws Exception {
        try (Hosts hosts = Hosts.open(2)) {
            Outcome outcome = Running.onHosts(
                    hosts,
                    folder,
                    2,
                    Map.of(),
                    "-Dorg.comm4j.cuda.library=" + library,
                    "-Dorg.comm4j." + name + ".library=" + library,
                    program.getName());
            assertThat(outcome.code()).as(outcome.toString()).isZero();
            return outcome;
        }
    }
}
