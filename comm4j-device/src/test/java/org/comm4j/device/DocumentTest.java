// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of {@code docs/device-communication.md}, each as a job of four processes. A block {@code java} is a class with a {@code main}; the block {@code imports} is what all of them begin with; a
 * block {@code output} is what the program before it prints, in any order of the lines.
 */
@Timeout(600)
class DocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/device-communication.md");
    private static final int PES = 4;
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|imports|output)\\n(.*?)^```$");
    private static final Pattern NAME = Pattern.compile("(?m)^class (\\w+)");

    private record Program(String name, String source, String output) {}

    @TempDir
    static Path folder;

    private static List<Program> programs() throws IOException {
        List<Program> programs = new ArrayList<>();
        String imports = "";
        Matcher block = BLOCK.matcher(Files.readString(DOCUMENT));
        while (block.find()) {
            String text = block.group(2);
            switch (block.group(1)) {
                case "imports" -> imports = text;
                case "java" -> {
                    Matcher name = NAME.matcher(text);
                    assertThat(name.find()).as("a class in %s", text).isTrue();
                    programs.add(new Program(name.group(1), imports + "\n" + text, ""));
                }
                default -> {
                    Program before = programs.removeLast();
                    assertThat(before.output())
                            .as("outputs of %s", before.name())
                            .isEmpty();
                    programs.add(new Program(before.name(), before.source(), text));
                }
            }
        }
        return programs;
    }

    private static void compile(List<Program> programs) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Program program : programs) {
            files.add(Files.writeString(folder.resolve(program.name() + ".java"), program.source()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (var manager = compiler.getStandardFileManager(null, null, UTF_8)) {
            boolean fine = compiler.getTask(
                            messages,
                            manager,
                            null,
                            List.of("-g", "-cp", System.getProperty("java.class.path"), "-d", folder.toString()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(fine).as(messages.toString()).isTrue();
        }
    }

    private static List<String> lines(String text) {
        return text.lines().sorted().toList();
    }

    @TestFactory
    List<DynamicTest> programsPrintWhatTheTextSays() throws IOException {
        List<Program> programs = programs();
        assertThat(programs).hasSizeGreaterThan(10);
        compile(programs);
        return programs.stream()
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
                    assertThat(lines(output.toString(UTF_8))).isEqualTo(lines(program.output()));
                }))
                .toList();
    }
}
