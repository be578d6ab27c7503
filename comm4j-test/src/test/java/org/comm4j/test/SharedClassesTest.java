// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the archive of the JDK's classes that all JVMs of the tests share, in {@code comm4j-test/target/jdk.jsa}. With
 * it a rank needs a sixth less time to start. A JVM without it, or of another JDK, reads its classes itself.
 */
class SharedClassesTest {
    private static final Path ARCHIVE = Path.of("target", "jdk.jsa");
    private static final List<String> COMMON = List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");

    @TempDir
    Path folder;

    @Test
    void jvmsShareTheClassesOfTheArchive() throws Exception {
        Path list = folder.resolve("classes");
        java("-XX:DumpLoadedClassList=" + list, "-cp", System.getProperty("java.class.path"), training());
        // What the JDK's own archive has.
        Files.write(
                list,
                Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", "classlist")),
                StandardOpenOption.APPEND);
        Path made = folder.resolve("jdk.jsa");
        java(
                "-Xshare:dump",
                "-Xlog:disable",
                "-Xlog:all=error",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + made);
        Files.copy(made, Path.of("target", "jdk.jsa.new"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(Path.of("target", "jdk.jsa.new"), ARCHIVE, StandardCopyOption.ATOMIC_MOVE);

        String loaded = java(
                "-XX:SharedArchiveFile=" + ARCHIVE,
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                training());
        assertThat(loaded.lines()
                        .filter(line -> line.endsWith("shared objects file"))
                        .count())
                .isGreaterThan(1500);
        assertThat(loaded).containsPattern("java.lang.foreign.Linker source: shared objects file");
    }

    private static String training() {
        return TrainingProgram.class.getName();
    }

    private String java(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(COMMON);
        command.addAll(List.of(words));
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process process = builder.redirectOutput(output.toFile()).start();
        int code = process.waitFor();
        String text = Files.readString(output, UTF_8);
        assertThat(code).as(text).isZero();
        return text;
    }
}
