// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens over the embedded engine when PEs die or memory runs out. */
@Timeout(60)
class EmbeddedFaultTest {
    /** In short lives it is enough. */
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private int run(int pes, String heap, String... words) {
        String[] all = new String[words.length + 1];
        all[0] = FaultProgram.class.getName();
        System.arraycopy(words, 0, all, 1, words.length);
        return Launcher.ranks(pes)
                .jvmOptions(FIRST_COMPILER)
                .java(all)
                .environment(OpenShmemOptions.VARIABLE, "embedded")
                .environment("COMM4J_HEAP_SIZE", heap)
                .keepGoing(true)
                .timeout(Duration.ofSeconds(45))
                .output(output, output)
                .run();
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = "reduce")
    void whoeverWaitsForADeadPeIsToldWhichOne(String operation) {
        isTold(operation);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"lock", "wait", "barrier", "put", "allocateAligned", "reallocate"})
    void whoeverWaitsInAnotherCallIsToldToo(String operation) {
        isTold(operation);
    }

    private void isTold(String operation) {
        assertThat(run(3, "", "die", operation)).as(text()).isEqualTo(9);
        assertThat(text().lines().filter(line -> line.contains("told of 1: ")))
                .as(text())
                .hasSize(2);
        assertThat(text().lines().filter(line -> line.endsWith("survived")))
                .as(text())
                .hasSize(2);
    }

    @Test
    void anExhaustedHeapIsAnExceptionAndTheJobGoesOn() {
        assertThat(run(2, "4M", "small-heap")).as(text()).isZero();
        for (String call : new String[] {
            "allocate of 5000000 x INT8",
            "allocateAligned of 5000000 x INT8 at a multiple of 128",
            "allocateAligned of 9223372036854775807 x INT8 at a multiple of 128",
            "reallocate of SymmetricArray[1000000 x INT8] to 5000000 elements"
        }) {
            assertThat(text().lines().filter(line -> line.contains("exhausted: " + call + " on PE ")))
                    .as(text())
                    .hasSize(2);
        }
        assertThat(text().lines().filter(line -> line.endsWith("goes on")))
                .as(text())
                .hasSize(2);
    }

    @Test
    void theSpecificationsVariableGivesTheSizeOfTheHeap() {
        int code = Launcher.ranks(2)
                .jvmOptions(FIRST_COMPILER)
                .java(FaultProgram.class.getName(), "small-heap")
                .environment(OpenShmemOptions.SIZE_VARIABLE, "3.9m")
                .timeout(Duration.ofSeconds(45))
                .output(output, output)
                .run();
        assertThat(code).as(text()).isZero();
        assertThat(text().lines().filter(line -> line.contains("exhausted: allocate of 5000000 x INT8 on PE ")))
                .as(text())
                .hasSize(2);
    }

    @Test
    void initAgainGivesTheSameHeapUntilTheLastClose() {
        assertThat(run(2, "", "twice")).as(text()).isZero();
        for (String line : new String[] {"true sum 2", "init again on PE", "then false", "made OpenShmem"}) {
            assertThat(text().lines().filter(each -> each.contains(line)))
                    .as(text())
                    .hasSize(2);
        }
    }

    @Test
    void inCheckedModeAllMembersRefuseWhatTheyDoNotCallAlike() {
        int code = Launcher.ranks(3)
                .jvmOptions(FIRST_COMPILER)
                .java(FaultProgram.class.getName(), "mismatch")
                .environment(OpenShmemOptions.VARIABLE, "embedded")
                .checked(true)
                .timeout(Duration.ofSeconds(45))
                .output(output, output)
                .run();
        assertThat(code).as(text()).isZero();
        assertThat(text())
                .doesNotContain("not refused")
                .contains("reduce on PE 0 of 3: PE 1 calls reduce(5 x INT64, SUM, from byte ")
                .contains("reduce(4 x INT64, MAX, ")
                .contains("broadcast(100 x INT64, root 1, ")
                .contains("sumInscan on PE 2 of 3: PE 1 calls barrier instead of sumInscan(4 x INT64, ");
        assertThat(text().lines().filter(line -> line.contains("refused: ")))
                .as(text())
                .hasSize(9 * 3);
        assertThat(text().lines().filter(line -> line.endsWith("4 given, then 0")))
                .as(text())
                .hasSize(3);
    }

    @Test
    void globalExitEndsAll() {
        assertThat(run(2, "", "exit")).as(text()).isEqualTo(7);
    }
}
