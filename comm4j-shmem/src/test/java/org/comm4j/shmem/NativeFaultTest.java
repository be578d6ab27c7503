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

/** What happens over the native engine when PEs die, memory runs out, or the library cannot be used. */
@Timeout(120)
class NativeFaultTest {
    private String text = "";

    @BeforeAll
    static void needsOshrun() {
        Oshrun.require();
    }

    private int run(int pes, Map<String, String> environment, List<String> options, String... words) {
        // In short lives the first compiler is enough.
        List<String> all = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        all.addAll(options);
        all.add(FaultProgram.class.getName());
        all.addAll(List.of(words));
        Map.Entry<Integer, String> end = Oshrun.run(pes, environment, all.toArray(String[]::new));
        text = end.getValue();
        return end.getKey();
    }

    private void assertLines(int count, String part) {
        assertThat(text.lines().filter(line -> line.contains(part))).as(text).hasSize(count);
    }

    @ParameterizedTest
    @ValueSource(strings = "lock")
    void whoeverWaitsForADeadPeIsToldWhichOne(String operation) {
        isTold(operation);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"reduce", "wait", "barrier", "put", "allocateAligned", "reallocate"})
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
        assertLines(2, "goes on");
    }

    @Test
    @Tag("nightly")
    void aHeapThatTheMachineHasNotIsAnException() {
        assertThat(run(2, Map.of("COMM4J_HEAP_SIZE", "4T"), List.of(), "init"))
                .as(text)
                .isZero();
        assertLines(2, "is more than the");
    }

    /** Nothing but the launcher says that it is to be the library. */
    @Test
    void underOshrunTheLibraryIsUsed() {
        assertThat(run(2, Map.of(OpenShmemOptions.VARIABLE, ""), List.of(), "init"))
                .as(text)
                .isZero();
        assertLines(2, "made OpenShmem[PE");
        assertLines(2, "native: OpenSHMEM");
    }

    @Test
    @Tag("nightly")
    void underOshrunWithoutALibraryTheEmbeddedEngineIsUsed() {
        assertThat(run(
                        2,
                        Map.of(OpenShmemOptions.VARIABLE, "auto"),
                        List.of("-Dorg.comm4j.shmem.library=/nowhere/liboshmem.so.40"),
                        "init"))
                .as(text)
                .isZero();
        assertLines(2, "of 2, embedded]");
    }

    @Test
    @Tag("nightly")
    void theSpecificationsVariableGivesTheSizeOfTheHeap() {
        assertThat(run(2, Map.of("SHMEM_SYMMETRIC_SIZE", "4.5m"), List.of(), "small-heap"))
                .as(text)
                .isZero();
        assertLines(2 * 4, "exhausted: ");
        assertLines(2, "goes on");
    }

    @Test
    @Tag("nightly")
    void aSizeThatIsNoneIsAnException() {
        assertThat(run(2, Map.of("SHMEM_SYMMETRIC_SIZE", "much"), List.of(), "init"))
                .as(text)
                .isNotZero();
        assertThat(text).contains("SHMEM_SYMMETRIC_SIZE is 'much', which is not a size like");
    }

    @Test
    void nullChecksStayTheVirtualMachines() {
        assertThat(run(2, Map.of(), List.of(), "null-checks")).as(text).isZero();
        assertLines(2, "caught 50");
    }

    @Test
    void aMissingLibraryIsAnExceptionOnAll() {
        assertThat(run(2, Map.of(), List.of("-Dorg.comm4j.shmem.library=/nowhere/liboshmem.so.40"), "init"))
                .as(text)
                .isZero();
        assertLines(2, "refused: init of the native engine: PE 0 of 2 cannot use OpenSHMEM: no OpenSHMEM");
    }

    /** TCP moves nothing into the memory of a PE whose library is not asked to. */
    @Test
    void whoeverWaitsServesTheOthers() {
        assertThat(run(2, Map.of("UCX_TLS", "tcp,self"), List.of(), "serve"))
                .as(text)
                .isZero();
        assertLines(2, "served 1000");
        assertLines(1, "false served");
    }

    @Test
    void theLibraryHasOneLife() {
        assertThat(run(2, Map.of(), List.of(), "twice")).as(text).isZero();
        assertLines(2, "true sum 2");
        assertLines(2, "init again on PE");
        assertLines(2, "then false");
        assertLines(2, "cannot be initialised again");
    }

    /** Nobody waits in the exit handlers of C; the launcher says that the library was not ended. */
    @Test
    void aProcessThatDoesNotCloseEnds() {
        assertThat(run(2, Map.of(), List.of(), "no-close")).as(text).isEqualTo(1);
        assertThat(text).contains("finalize");
    }

    @Test
    void globalExitEndsAll() {
        assertThat(run(2, Map.of(), List.of(), "exit")).as(text).isEqualTo(7);
    }

    @Test
    void anotherLauncherIsRefused() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .java(FaultProgram.class.getName(), "init")
                .environment(OpenShmemOptions.VARIABLE, "native")
                .timeout(Duration.ofSeconds(45))
                .output(output, output)
                .run();
        text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertLines(2, "it was started by 'comm4j run'; start the program by oshrun");
    }
}
