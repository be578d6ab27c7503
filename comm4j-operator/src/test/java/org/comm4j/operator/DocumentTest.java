// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.comm4j.test.Document;
import org.comm4j.test.Document.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/arrays.md}, on one rank. */
class DocumentTest {
    @TempDir
    Path folder;

    @Test
    void programsPrintWhatTheTextSays() throws Exception {
        List<Program> programs = Document.programs(Path.of("../docs/arrays.md"));
        assertThat(programs).hasSize(5);
        Document.compile(programs, folder);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            for (Program program : programs) {
                assertThat(program.run(loader)).as(program.name()).isEqualTo(program.output());
            }
        }
    }
}
