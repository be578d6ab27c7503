// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.test.Document;
import org.comm4j.test.Document.Program;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of {@code docs/arrays.md} and {@code docs/inversion.md}, on one rank. */
class DocumentTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"arrays, 5", "inversion, 5"})
    void programsPrintWhatTheTextSays(String document, int count) throws Exception {
        List<Program> programs = Document.programs(Path.of("../docs/" + document + ".md"));
        assertThat(programs).hasSize(count);
        Document.compile(programs, folder);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            for (Program program : programs) {
                assertThat(program.run(loader)).as(program.name()).isEqualTo(program.output());
            }
        }
    }

    /** Else users do not find them. */
    @ParameterizedTest
    @ValueSource(strings = {"../comm4j-array", "../comm4j-operator"})
    void everyPublicTypeIsInIt(String module) throws IOException {
        String text =
                Files.readString(Path.of("../docs/arrays.md")) + Files.readString(Path.of("../docs/inversion.md"));
        List<String> missing = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of(module, "src/main/java"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String name = source.getFileName().toString().replace(".java", "");
                boolean isPublic = Pattern.compile("(?m)^public .*\\b(class|interface|enum|record) " + name + "\\b")
                        .matcher(Files.readString(source))
                        .find();
                if (isPublic
                        && !Pattern.compile("\\b" + name + "\\b").matcher(text).find()) {
                    missing.add(name);
                }
            }
        }
        assertThat(missing)
                .as("types of %s that neither docs/arrays.md nor docs/inversion.md names", module)
                .isEmpty();
    }
}
