// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.test.Document;
import org.comm4j.test.Document.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of {@code docs/kernels.md}. */
@Timeout(300)
class DocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/kernels.md");

    @TempDir
    Path folder;

    @Test
    void programsPrintWhatTheTextSays() throws Exception {
        assumeTrue(System.getProperty("org.comm4j.cuda.library", "").isEmpty(), "a stub runs no kernels");
        List<Program> programs = Document.programs(DOCUMENT);
        assertThat(programs).hasSizeGreaterThan(10);
        Document.compile(programs, folder);
        List<Program> ran = new ArrayList<>();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            loader.setDefaultAssertionStatus(true);
            for (Program program : programs) {
                ran.add(new Program(program.name(), program.source(), program.run(loader)));
            }
        }
        assertThat(ran).isEqualTo(programs);
    }
}
