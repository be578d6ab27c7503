// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens over the engine mpi, by messages, when PEs die, memory runs out, or there is no MPI. */
@Timeout(120)
class MpiFaultTest {
    private static final String APART = "-Dorg.comm4j.shmem.direct=false";

    private String text = "";

    @BeforeAll
    static void needsLauncher() {
        var ignored = MpiLauncher.OPEN_MPI_4.mpiexec();
    }

    private int run(int pes, Map<String, String> environment, List<String> options, String... words) {
        // In short lives the first compiler is enough.
        List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", APART));
        all.addAll(options);
        all.add(FaultProgram.class.getName());
        all.addAll(List.of(words));
        Map.Entry<Integer, String> end = MpiLauncher.OPEN_MPI_4.run(pes, environment, all.toArray(String[]::new));
        text = end.getValue();
        return end.getKey();
    }

    private void assertLines(int count, String part) {
        assertThat(text.lines().filter(line -> line.contains(part))).as(text).hasSize(count);
    }

    @Test
    void whoeverPutsToADeadPeIsToldWhichOne() {
        isTold("put");
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"wait", "reduce", "lock", "barrier", "allocateAligned", "reallocate"})
    void whoeverWaitsInAnotherCallIsToldToo(String operation) {
        isTold(operation);
    }

    private void isTold(String operation) {
        long start = System.nanoTime();
        assertThat(run(3, Map.of(), List.of(), "die", operation)).as(text).isEqualTo(9);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        assertLines(2, "told of 1: ");
        assertLines(2, "survived");
        assertLines(0, "nothing noticed");
        assertLines(0, "told otherwise");
        assertLines(0, "SIGSEGV");
    }

    @Test
    @Tag("nightly")
    void anExhaustedHeapIsAnExceptionAndTheJobGoesOn() {
        assertThat(run(2, Map.of("COMM4J_HEAP_SIZE", "4M"), List.of(), "small-heap"))
                .as(text)
                .isZero();
        assertLines(2 * 4, "exhausted: ");
        assertLines(2, "goes on");
    }

    @Test
    @Tag("nightly")
    void aHeapThatNoAddressSpaceHasIsAnException() {
        assertThat(run(2, Map.of("COMM4J_HEAP_SIZE", "100T"), List.of(), "init"))
                .as(text)
                .isZero();
        assertLines(2, "leaves the address space; set COMM4J_HEAP_SIZE lower");
    }

    @Test
    @Tag("nightly")
    void itHasSeveralLives() {
        assertThat(run(2, Map.of(), List.of(), "twice")).as(text).isZero();
        assertLines(2, "true sum 2");
        assertLines(2, "init again on PE");
        assertLines(2, "then false");
        assertLines(2, "made OpenShmem[PE");
    }

    @Test
    @Tag("nightly")
    void aProcessThatDoesNotCloseEnds() {
        assertThat(run(2, Map.of(), List.of(), "no-close")).as(text).isZero();
    }

    @Test
    @Tag("nightly")
    void globalExitEndsAll() {
        assertThat(run(2, Map.of(), List.of(), "exit")).as(text).isEqualTo(7);
    }

    @Test
    @Tag("nightly")
    void withoutALibraryItIsAnExceptionOnAll() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .jvmOptions("-XX:TieredStopAtLevel=1", APART, "-Dorg.comm4j.mpi.library=/nowhere/libmpi.so.40")
                .java(FaultProgram.class.getName(), "init")
                .environment(OpenShmemOptions.VARIABLE, "mpi")
                .timeout(Duration.ofSeconds(45))
                .output(output, output)
                .run();
        text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertLines(2, "refused: init of the engine mpi: PE 0 of 2 has no access to other machines' memory: no MPI");
    }
}
