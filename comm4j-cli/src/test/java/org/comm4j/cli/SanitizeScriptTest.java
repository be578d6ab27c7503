// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code dev/sanitize} with a compute-sanitizer that writes what this test wants. */
class SanitizeScriptTest {
    private static final String EXPECTED = """
            ========= COMPUTE-SANITIZER
            ========= Invalid __global__ write of size 4 bytes
            =========     at SanitizerFaults_memcheck+0x70 in SanitizerFaults.java:33
            =========     by thread (0,0,0) in block (0,0,0)
            =========
            """;
    private static final String PASSED = """
            [        62 tests successful      ]
            [         0 tests failed          ]
            """;

    @TempDir
    private Path folder;

    private record Outcome(int code, String text) {}

    @BeforeEach
    void fake() throws IOException {
        say(EXPECTED + "========= ERROR SUMMARY: 1 error\n", PASSED);
        Path fake = folder.resolve("compute-sanitizer");
        Files.writeString(fake, """
                        #!/bin/sh
                        cd "$(dirname "$0")"
                        echo "$@" >>calls
                        while [ "$1" != --log-file ]; do shift; done
                        cp log "$2"
                        cat out
                        exit $(cat code)
                        """);
        Files.writeString(folder.resolve("code"), "0");
        assertThat(fake.toFile().setExecutable(true)).isTrue();
    }

    private void say(String log, String out) throws IOException {
        Files.writeString(folder.resolve("log"), log);
        Files.writeString(folder.resolve("out"), out);
    }

    private Outcome sanitize(String... arguments) throws Exception {
        Path script = Path.of("../dev/sanitize").toAbsolutePath();
        List<String> words = new ArrayList<>(
                List.of(script.toString(), "-o", folder.resolve("logs").toString()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().merge("PATH", folder.toString(), (path, first) -> first + File.pathSeparator + path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Path text = folder.resolve("text");
        Process process = builder.redirectOutput(text.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), Files.readString(text));
    }

    @Test
    void everyToolRunsOnceAndSeesTheWrongKernel() throws Exception {
        Outcome outcome = sanitize("-cp", "some.jar", "-c", "org.example.MyTest");
        assertThat(outcome.code()).as(outcome.text()).isZero();
        assertThat(outcome.text().lines())
                .hasSize(4)
                .allSatisfy(
                        line -> assertThat(line)
                                .contains(
                                        ": 62 tests passed, 0 failed, 0 findings, the wrong kernel seen at SanitizerFaults.java:33"));
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .hasSize(4)
                .allSatisfy(call -> assertThat(call)
                        .contains("--target-processes all", "-cp some.jar", "--select-class=org.example.MyTest"))
                .anySatisfy(call -> assertThat(call).contains("--tool memcheck", "-Dorg.comm4j.sanitizer=memcheck"));
    }

    @Test
    void findingsAreShownAndCounted() throws Exception {
        say(EXPECTED + """
                ========= Error: Race reported between Write access at Scan_scan+0x90 in Scan.java:50
                =========     and Read access at Scan_scan+0xb0 in Scan.java:52 [12 hazards]
                =========
                ========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)
                """, PASSED);
        Outcome outcome = sanitize("-cp", "x", "racecheck");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.text())
                .contains("racecheck: 62 tests passed, 0 failed, 1 findings", "Scan.java:50", "Scan.java:52");
    }

    @Test
    void aBlindToolIsNoSuccess() throws Exception {
        say("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n", PASSED);
        Outcome outcome = sanitize("-cp", "x", "synccheck");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.text()).contains("0 findings, the wrong kernel NOT SEEN");
    }

    @Test
    void aRunThatDiesIsNoSuccess() throws Exception {
        say(EXPECTED, "# A fatal error has been detected\n");
        Outcome outcome = sanitize("-cp", "x", "initcheck");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.text()).contains("before all had ended", "# A fatal error");
    }

    @Test
    void communicationIsAJobOfTwo() throws Exception {
        say(
                EXPECTED.replace("SanitizerFaults", "CommunicationFaults"),
                "[0] passed MOVES\n[1] passed MOVES\n[1] passed TEAM\n[0] passed TEAM\n");
        Outcome outcome = sanitize("--communication", "-cp", "x", "memcheck");
        assertThat(outcome.code()).as(outcome.text()).isZero();
        assertThat(outcome.text())
                .contains(
                        "memcheck: 2 cases passed on PE 0, 2 on PE 1, 0 findings, the wrong kernel seen at CommunicationFaults.java:33");
        assertThat(Files.readString(folder.resolve("calls")))
                .contains(
                        "--target-processes all",
                        "org.comm4j.cli.Main run -n 2 -- ",
                        "-Dorg.comm4j.sanitizer=memcheck");
    }

    @Test
    void expertsAreOnePeWithoutAWrongKernel() throws Exception {
        say("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n", "passed layer 0\npassed by rank\n");
        Outcome outcome = sanitize("--experts", "-cp", "x", "memcheck");
        assertThat(outcome.code()).as(outcome.text()).isZero();
        assertThat(outcome.text()).contains("memcheck: 2 cases passed, 0 findings, ");
        assertThat(Files.readString(folder.resolve("calls")))
                .contains("org.comm4j.cli.Main run -n 1 -- ", "org.comm4j.moe.MoeProgram gpu ");
        say("========= Invalid __global__ write\n=========\n", "passed layer 0\npassed by rank\n");
        assertThat(sanitize("--experts", "-cp", "x", "memcheck").code()).isEqualTo(1);
        say("", "passed layer 0\njava.lang.AssertionError: by rank\n");
        Files.writeString(folder.resolve("code"), "1");
        assertThat(sanitize("--experts", "-cp", "x", "memcheck").text()).contains("FAILED (exit code 1)");
    }

    /** initcheck does not see what another PE wrote, but is told of a copy by which a host looks at it. */
    @Test
    void copiesOfWhatOthersWroteAreNoFindings() throws Exception {
        String copy = """
                ========= Host API memory access error at host access to 0x90200d8200 of size 128 bytes
                =========     Uninitialized access to 0x90200d8220 on access by cudaMemcpy source
                =========
                """;
        String out = "[0] passed MOVES\n[1] passed MOVES\n[1] passed TEAM\n[0] passed TEAM\n";
        say(copy + EXPECTED.replace("SanitizerFaults", "CommunicationFaults"), out);
        Outcome outcome = sanitize("--communication", "-cp", "x", "initcheck");
        assertThat(outcome.code()).as(outcome.text()).isZero();
        assertThat(outcome.text()).contains("initcheck: 2 cases", " 0 findings, ");
        say(copy + EXPECTED, PASSED);
        assertThat(sanitize("-cp", "x", "initcheck").text()).contains(" 1 findings, ", "0x90200d8220");
    }

    @Test
    void aPeThatFailsIsNoSuccess() throws Exception {
        say(EXPECTED, "[0] passed MOVES\n[1] java.lang.AssertionError: MOVES\n");
        Files.writeString(folder.resolve("code"), "1");
        Outcome outcome = sanitize("--communication", "-cp", "x", "memcheck");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.text())
                .contains(
                        "FAILED (exit code 1)", "1 cases passed on PE 0, 0 on PE 1", "java.lang.AssertionError: MOVES");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memchek", "-cp", "--tool"})
    void wrongWordsAreRefused(String word) throws Exception {
        Outcome outcome = sanitize(word);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.text()).contains("usage: sanitize [-cp CLASSPATH]");
    }
}
