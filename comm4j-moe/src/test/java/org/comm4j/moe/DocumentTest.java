// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Document;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/moe.md}, each as a job of four processes; outputs have any order of their lines. */
@Timeout(300)
class DocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/moe.md");
    /** Each prints a line that does not depend on how many there are; the document shows four. */
    private static final int PES = Nightly.isOn() ? 4 : 2;

    @TempDir
    static Path folder;

    private static List<String> lines(String text) {
        return text.lines().sorted().toList();
    }

    @TestFactory
    List<DynamicTest> programsPrintWhatTheTextSays() throws IOException {
        List<Document.Program> programs = Document.programs(DOCUMENT);
        assertThat(programs).hasSize(2);
        Document.compile(programs, folder);
        // Each is a job of several processes.
        return programs.subList(0, Nightly.isOn() ? programs.size() : 1).stream()
                .map(program -> DynamicTest.dynamicTest(program.name(), () -> {
                    ByteArrayOutputStream output = new ByteArrayOutputStream();
                    ByteArrayOutputStream errors = new ByteArrayOutputStream();
                    int code = Launcher.ranks(PES)
                            .java(
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC",
                                    "-cp",
                                    System.getProperty("java.class.path") + File.pathSeparator + folder,
                                    program.name())
                            .timeout(Duration.ofMinutes(3))
                            .output(output, errors)
                            .run();
                    assertThat(code).as(errors.toString(UTF_8)).isZero();
                    assertThat(lines(output.toString(UTF_8)))
                            .isEqualTo(lines(program.output()).subList(0, PES));
                }))
                .toList();
    }
}
