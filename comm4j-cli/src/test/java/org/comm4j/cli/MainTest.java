// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeLibrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int comm4j(String... args) {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .addSubcommand(new Failing())
                .execute(args);
    }

    @Command(name = "fail")
    static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("rank 1 is gone");
        }
    }

    @Test
    void aFailureIsOneLineAndExitCode1() {
        assertThat(comm4j("fail")).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("comm4j: rank 1 is gone" + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--debug fail", "fail --debug"})
    void debugShowsTheStackTrace(String words) {
        assertThat(comm4j(words.split(" "))).isEqualTo(1);
        assertThat(err.toString()).contains("IllegalStateException: rank 1 is gone", "MainTest.java");
    }

    @Test
    void versionIsTheBuildsOwn() {
        assertThat(comm4j("--version")).isZero();
        assertThat(out.toString()).matches("comm4j \\d+\\.\\d+\\.\\d+\\S*\\R");
    }

    /** It would be silent there, and nccl-tests has another -V. */
    @ParameterizedTest
    @ValueSource(strings = {"jacobi", "bench all_reduce", "doctor"})
    void onlyTheWholeHasAVersion(String command) {
        assertThat(comm4j((command + " -V").split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("comm4j: Unknown option: '-V'");
        assertThat(comm4j((command + " --help").split(" "))).isZero();
        assertThat(out.toString()).doesNotContain("--version");
    }

    @Test
    void helpNamesTheSubcommands() {
        assertThat(comm4j("--help")).isZero();
        assertThat(out.toString()).contains("doctor");
    }

    @Test
    void jacobisHelpNamesEveryEngineAtTheOption() {
        assertThat(comm4j("jacobi", "--help")).isZero();
        assertThat(out.toString()).containsPattern("--engine=E +The engine: host, [^;]*;\\s+shmem");
    }

    @Test
    void helpIsACommandToo() {
        assertThat(comm4j("help", "run")).isZero();
        assertThat(out.toString()).contains("Usage: comm4j run", "--ranks");
        assertThat(comm4j("help", "nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("nonsense");
    }

    @Test
    void doctorTellsWhatTheMachineOffers() {
        assertThat(comm4j("doctor", "-v")).isZero();
        assertThat(out.toString())
                .contains(Runtime.version().toString(), System.getProperty("os.arch"))
                .containsPattern("(?m)^host +ready$")
                .containsPattern("(?m)^nccl +\\S")
                .containsPattern("(?m)^on the CPU +ready$")
                .containsPattern("(?m)^for GPUs +(compiled here|not compiled: no .*)");
        assertThat(err.toString()).isEmpty();
        for (LibraryName name : LibraryName.values()) {
            NativeLibrary library = NativeLibrary.of(name);
            assertThat(out.toString()).containsPattern("(?m)^" + name.text() + " +\\S+ +\\S");
            // Either the file, or every place.
            if (library.isPresent()) {
                assertThat(out.toString()).contains(String.valueOf(library.file()));
            } else {
                assertThat(out.toString()).contains(library.problem());
                library.places().forEach(place -> assertThat(out.toString()).contains("  " + place));
            }
        }
    }

    @Test
    void doctorsVerdictsComeFirstAndItsDetailsOnRequest() {
        assertThat(comm4j("doctor")).isZero();
        assertThat(out.toString().lines().findFirst()).contains("engine   verdict");
        assertThat(out.toString()).doesNotContain("Looked at:");
        assertThat(out.toString().contains("doctor -v"))
                .isEqualTo(Arrays.stream(LibraryName.values())
                        .anyMatch(each -> !NativeLibrary.of(each).isPresent()));
    }

    @Test
    void doctorHasAFormForPrograms() {
        assertThat(comm4j("doctor", "--json")).isZero();
        assertThat(out.toString())
                .startsWith("{")
                .contains("\"comm4j\": ", "\"engine\": \"host\"", "\"verdict\": \"ready\"", "\"warnings\": [")
                .contains("\"looked at\": ");
    }

    @Test
    void completionIsAScript() {
        assertThat(comm4j("completion")).isZero();
        assertThat(out.toString())
                .startsWith("#!/usr/bin/env bash")
                .contains("complete -F _complete_comm4j", "--engine");
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "20, 60", "999, 120", "x, 80", ", 80", "99999, 80"})
    void helpIsAsWideAsTheTerminal(String columns, int width) {
        assertThat(Main.width(columns)).isEqualTo(width);
    }

    /** Checks help, completion and errors about commands that the words do not name. */
    @ParameterizedTest
    @ValueSource(strings = {"--help", "help bench", "bench -h", "bench nvshmem --help", "completion", "bench foo"})
    void allIsAsIfEveryCommandWereRead(String line) {
        String[] words = line.split(" ");
        int code = Main.commandLine(new PrintWriter(out), new PrintWriter(err)).execute(words);
        StringWriter lazyOut = new StringWriter();
        StringWriter lazyErr = new StringWriter();
        assertThat(Main.execute(new PrintWriter(lazyOut), new PrintWriter(lazyErr), words))
                .isEqualTo(code);
        assertThat(lazyOut).hasToString(out.toString());
        assertThat(lazyErr).hasToString(err.toString());
    }

    @Test
    void idleIsInTheListOfBenchmarks() {
        assertThat(comm4j("bench", "--help")).isZero();
        assertThat(out.toString()).contains("idle (");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jacobi --png x.svg", "bench put --png x", "bench compare a b --png x.txt", "prk all --png x.jpg"
            })
    void aPictureIsAPng(String words) {
        assertThat(comm4j(words.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("--png x", ": pictures are PNG files; name it x", ".png");
    }

    @Test
    void doctorJudgesNvshmem() {
        assertThat(comm4j("doctor")).isZero();
        NativeLibrary library = NativeLibrary.of(LibraryName.NVSHMEM);
        if (library.isPresent()) {
            assertThat(out.toString()).containsPattern("(?m)^\\Q" + library.version() + "\\E +.*uid.* {2}\\S.*$");
        } else {
            assertThat(out.toString())
                    .containsPattern("(?m)^- +no NVSHMEM: libnvshmem_host.so.3 not found\\. Install .*$");
        }
    }

    @Test
    void aMisunderstoodCommandLineIsTwoLinesAndExitCode2() {
        assertThat(comm4j("doctor", "--nonsense")).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(2).first().asString().contains("--nonsense");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void noCommandNamesThoseThatThereAre() {
        assertThat(comm4j()).isEqualTo(2);
        assertThat(err.toString()).contains("doctor");
    }
}
