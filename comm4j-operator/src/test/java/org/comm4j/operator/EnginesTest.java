// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.contract.RanksRun;
import org.comm4j.operator.solver.MemoryOnSimulatedGpus;
import org.comm4j.test.Nightly;
import org.comm4j.test.SimulatedLibrary;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** What holds for every operator, on other ranks than threads with processors: processes, and a simulated NCCL. */
class EnginesTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TestFactory
    Stream<DynamicTest> onProcesses() {
        return RanksRun.of(
                Nightly.isOn() ? 4 : 2,
                List.of("-XX:TieredStopAtLevel=1"),
                Map.of(),
                LIMIT,
                OnProcesses.class,
                SummaOnProcesses.class);
    }

    @TestFactory
    Stream<DynamicTest> onSimulatedGpus() {
        Path library = SimulatedLibrary.compile(Path.of("../comm4j-nccl/src/test/c/simulation.c"));
        List<String> options = List.of(
                "-XX:TieredStopAtLevel=1",
                "-Dorg.comm4j.nccl.library=" + library,
                "-Dorg.comm4j.cuda.library=" + library);
        return RanksRun.of(
                1,
                options,
                Map.of(),
                LIMIT,
                OnSimulatedGpus.class,
                SummaOnSimulatedGpus.class,
                MemoryOnSimulatedGpus.class);
    }

    /** By night: processes that poll, more of them than processors. */
    @TestFactory
    @Tag("nightly")
    Stream<DynamicTest> onSimulatedNvshmem() {
        Path library = SimulatedLibrary.compile(Path.of("../comm4j-nvshmem/src/test/c/simulation.c"));
        List<String> options = List.of(
                "-XX:TieredStopAtLevel=1",
                "-Dorg.comm4j.nvshmem.library=" + library,
                "-Dorg.comm4j.cuda.library=" + library);
        return RanksRun.of(
                3,
                options,
                Map.of("COMM4J_TIMEOUT", "60"),
                LIMIT,
                GhostsOnSimulatedNvshmem.class,
                OnSimulatedNvshmem.class);
    }
}
