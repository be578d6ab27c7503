// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PEs that die or wait in vain: the others get an exception, soon, and their processes end as they want. Real processes
 * throughout.
 */
@Timeout(180)
abstract class FaultContract {
    private final Machine machine;
    private final int pes;
    /** Where nobody has to find out which of the others it was. */
    private final int few;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    FaultContract(Machine machine, int pes) {
        this.machine = machine;
        this.pes = pes;
        this.few = Math.min(pes, 2);
    }

    @BeforeEach
    void require() {
        machine.require(pes);
    }

    Launcher program(int ranks, Object... arguments) {
        List<String> words = Stream.concat(
                        Stream.of(FaultProgram.class.getName()),
                        Stream.of(arguments).map(Object::toString))
                .toList();
        return PesRun.launcher(ranks, machine, words)
                .keepGoing(true)
                .timeout(Duration.ofMinutes(2))
                .output(output, output);
    }

    String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    List<String> lines(String pattern) {
        return text().lines().filter(line -> line.matches(pattern)).toList();
    }

    /** Each survivor named the victim within the limit. */
    private void assertNamed(int victim, int limitMillis) {
        Pattern named = Pattern.compile("\\[\\d\\] named (\\d+) after (\\d+) ms: .*");
        List<Matcher> found =
                text().lines().map(named::matcher).filter(Matcher::matches).toList();
        assertThat(found).as(text()).hasSize(pes - 1).allSatisfy(line -> {
            assertThat(Integer.parseInt(line.group(1))).as(text()).isEqualTo(victim);
            assertThat(Integer.parseInt(line.group(2))).as(text()).isLessThan(limitMillis);
        });
    }

    @ParameterizedTest
    @CsvSource({"collective, 1, 137", "leave, 1, 5"})
    void whoeverWaitsForADeadPeIsToldWhichOne(String fault, int victim, int exitCode) {
        isTold(fault, victim, exitCode);
    }

    /** Calls that wait as the others do, and another end. */
    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({
        "put, 0, 137",
        "put, 1, 137",
        "wait, 1, 137",
        "get, 1, 137",
        "allocate, 1, 137",
        "free, 1, 137",
        "throw, 1, 1"
    })
    void whoeverWaitsInAnotherCallIsToldToo(String fault, int victim, int exitCode) {
        isTold(fault, victim, exitCode);
        if (fault.equals("throw")) {
            assertThat(lines(".*PE 1 is gone .it has thrown java.lang.IllegalStateException: this PE ends by an.*"))
                    .as(text())
                    .hasSizeGreaterThanOrEqualTo(pes - 1);
        }
    }

    private void isTold(String fault, int victim, int exitCode) {
        int code = program(pes, fault, victim).run();
        assertThat(code).as(text()).isEqualTo(exitCode);
        assertThat(lines(".*survived")).as(text()).hasSize(pes - 1);
        assertNamed(victim, 10_000);
        assertThat(lines(".* then: .*(out of step|is gone).*")).as(text()).hasSize(pes - 1);
        assertThat(lines(".* closed after \\d{1,4} ms, ABANDONED")).as(text()).hasSize(pes - 1);
        assertThat(lines(".* again: .*given up.*")).as(text()).hasSize(pes - 1);
    }

    @Test
    void aPeThatDiesInInitialisationIsNamed() {
        int code = program(pes, "init", 1).run();
        assertThat(code).as(text()).isEqualTo(137);
        assertThat(lines(".*survived")).as(text()).hasSize(pes - 1);
        assertNamed(1, 10_000);
    }

    @Test
    void aWaitInAStreamThatCanNeverEndSaysForWhatItWaits() {
        saysForWhatItWaits(1);
    }

    @Test
    @Tag("nightly")
    void aWaitThatCanNeverEndSaysForWhatItWaits() {
        saysForWhatItWaits(0);
    }

    private void saysForWhatItWaits(int inStream) {
        int code = program(few, "never", inStream)
                .jvmOptions("-Dorg.comm4j.core.standstill=500")
                .run();
        assertThat(code).as(text()).isZero();
        // On a busy machine what comes before may stand still for as long, too.
        for (int pe = 0; pe < few; pe++) {
            assertThat(lines("\\[" + pe + "] PE " + pe + " of " + few
                            + ".* has waited 0 s in (signalWaitUntil|Stream).*"))
                    .as("lines about the standstill of PE " + pe + " in " + text())
                    .hasSize(1);
        }
        assertThat(lines(".* late after [23]\\d{3} ms: .*"))
                .as(text())
                .hasSize(few)
                .allSatisfy(line -> {
                    String rank = line.substring(0, line.indexOf(']') + 1);
                    String address = text().lines()
                            .filter(l -> l.startsWith(rank + " address"))
                            .findFirst()
                            .orElseThrow()
                            .replaceAll(".* ", "");
                    assertThat(line).contains(address, "4711", "41");
                });
        assertThat(lines(".*survived")).as(text()).hasSize(few);
    }

    /** The library blocks the host in some of the calls that are like none before. */
    @Test
    void aPeThatDoesNotComeIsNotWaitedForLongerThanTheLimit() {
        isNotWaitedFor("recorded");
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(strings = {"first", "another size"})
    void aPeThatDoesNotComeToAnotherCallIsNotWaitedFor(String call) {
        isNotWaitedFor(call);
    }

    private void isNotWaitedFor(String call) {
        int code = program(few, call, 0).run();
        assertThat(code).as(text()).isEqualTo(9);
        assertThat(lines(".* late after [23]\\d{3} ms: .*reduce.*")).as(text()).isNotEmpty();
        // A stream can be waited for again, so that the next call waits, too.
        String then = call.equals("recorded") ? ".* then: .*nothing but close.*" : ".* then: .*out of step.*";
        assertThat(lines(then)).as(text()).isNotEmpty();
    }

    @Test
    void aProcessMayEndWithoutClosing() {
        int code = program(few, "unclosed").run();
        assertThat(code).as(text()).isZero();
        assertThat(lines(".*survived")).as(text()).hasSize(few);
    }

    /** That is what it would be without guards. */
    @Test
    void aCallBeforeInitialisationEndsTheProcess() {
        int code = program(1, "raw").run();
        assertThat(code).as(text()).isEqualTo(255);
        // The library has both sentences.
        assertThat(text())
                .containsPattern(
                        "NVSHMEM API called before NVSHMEM initialization|nvshmem API called before nvshmem_init")
                .doesNotContain("survived");
    }
}
