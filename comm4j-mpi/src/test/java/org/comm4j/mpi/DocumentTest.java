// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.core.Request;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Document;
import org.comm4j.test.Gcc;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/mpi.md}, each on two ranks, and the names in its tables. */
@Timeout(120)
class DocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/mpi.md");
    private static final Pattern CODE = Pattern.compile("`(\\w+)[^`]*`");

    @TempDir
    static Path folder;

    @TestFactory
    List<DynamicTest> programsPrintWhatTheTextSays() throws IOException {
        List<Document.Program> programs = Document.programs(DOCUMENT);
        assertThat(programs).hasSize(6);
        Document.compile(programs, folder);
        // Each is a job of two processes.
        return programs.subList(Nightly.isOn() ? 0 : programs.size() - 1, programs.size()).stream()
                .map(program -> DynamicTest.dynamicTest(program.name(), () -> run(program)))
                .toList();
    }

    private static void run(Document.Program program) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        // A driver without a GPU, for the program that has one.
        Path driver = folder.resolve("libcuda-stub.so");
        Gcc.sharedLibrary(Path.of("../comm4j-cuda/src/test/c/libcuda-stub.c"), driver);
        int code = Launcher.ranks(2)
                .by(MpiLibrary.OPEN_MPI_4.launcher(), List.of())
                .java(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dorg.comm4j.cuda.library=" + driver,
                        "-cp",
                        System.getProperty("java.class.path") + File.pathSeparator + folder,
                        program.name())
                .timeout(Duration.ofSeconds(60))
                .output(output, errors)
                .run();
        assertThat(code).as(errors.toString(UTF_8)).isZero();
        assertThat(output.toString(UTF_8).replaceAll("(?m)^\\[\\d+] ", "")).isEqualTo(program.output());
    }

    /** Our names in the table for users of other bindings. */
    @Test
    void theNamesExist() throws IOException {
        TreeSet<String> known = Stream.of(
                        MpiCommunicator.class,
                        Mpi.class,
                        MpiWindow.class,
                        Prepared.class,
                        Received.class,
                        Request.class,
                        World.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .map(java.lang.reflect.Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        known.addAll(List.of("Mpi", "Records", "RecordReduction", "world"));
        String text = Files.readString(DOCUMENT);
        List<String> rows = text.substring(text.indexOf("\n## For users of other bindings"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(line.lastIndexOf('|', line.length() - 2)))
                .toList();
        assertThat(rows).hasSizeGreaterThan(15);
        for (String row : rows) {
            assertThat(CODE.matcher(row).results().map(match -> match.group(1)))
                    .as(row)
                    .allMatch(name -> known.contains(name) || row.contains("an exception"));
        }
    }
}
