// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Hosts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Parallel Research Kernels with {@code COMM4J_SHMEM=mpi}, two PEs: on one host, and each on a host of its own. */
@Tag("nightly")
@Timeout(240)
class PrkOverMpiTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transpose 5 256 32",
                "transpose 3 37 8",
                "stencil 5 200 --radius 2",
                "p2p 5 200 130 1",
                "nstream 5 100003 0",
                "dgemm 3 96 32",
                "random 16 12 --lookahead 256",
                "reduce 10 10001",
                "synch_global 200 168",
                "sparse 5 6 4",
                "branch 20 1000 vector_go",
                "refcount 1001 0",
                "refcount 501 3 --dependent",
                "refcount 500 0 --mutex atomic"
            })
    void validates(String command) throws Exception {
        try (Hosts one = Hosts.open(1)) {
            validates(command, one, "one machine, by loads and stores");
        }
        try (Hosts two = Hosts.open(2)) {
            validates(command, two, "2 machines, by messages of MPICH");
        }
    }

    private void validates(String command, Hosts hosts, String way) throws Exception {
        List<String> words = Stream.concat(
                        Stream.of(Main.class.getName(), "prk"), Stream.of((command + " --warmup-time 50").split(" ")))
                .toList();
        Outcome outcome = Running.onHosts(
                hosts, folder, 2 / hosts.size(), Map.of("COMM4J_SHMEM", "mpi"), words.toArray(String[]::new));
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).containsPattern("Number of ranks += 2\n").contains(way, "Solution validates");
    }
}
