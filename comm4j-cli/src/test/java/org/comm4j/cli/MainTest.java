// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeLibrary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        assertThat(out.toString()).containsPattern("--engine=E +The engine: host, .*shmem");
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
        assertThat(comm4j("doctor")).isZero();
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
