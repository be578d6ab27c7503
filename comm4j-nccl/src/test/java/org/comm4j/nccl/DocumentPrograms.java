// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.comm4j.test.Document;
import org.comm4j.test.Document.Program;
import org.junit.jupiter.api.DynamicTest;

/**
 * The programs of {@code docs/nccl.md}, to be run in this process over the GPUs and the NCCL that it has, real or not.
 */
final class DocumentPrograms {
    static final Path DOCUMENT = Path.of("../docs/nccl.md");

    /** Where the document is when it was packed, with its programs compiled beside it. */
    private static final String PACKED = "/org/comm4j/nccl/nccl.md";

    private DocumentPrograms() {}

    /**
     * A test for each program. What the loaded NCCL is too old for is skipped, and what needs more GPUs than there are.
     *
     * @param folder for what is compiled
     */
    static List<DynamicTest> tests(Path folder, int gpus) throws IOException {
        List<Program> programs;
        try (InputStream packed = DocumentPrograms.class.getResourceAsStream(PACKED)) {
            if (packed == null) {
                programs = Document.programs(DOCUMENT);
                Document.compile(programs, folder);
            } else {
                Path copy = folder.resolve("nccl.md");
                Files.copy(packed, copy);
                programs = Document.programs(copy);
            }
        }
        assertThat(programs)
                .hasSizeGreaterThan(10)
                .allSatisfy(program ->
                        assertThat(program.output()).as(program.name()).isNotEmpty());
        return programs.stream()
                .map(program -> DynamicTest.dynamicTest(program.name(), () -> check(program, folder, gpus)))
                .toList();
    }

    private static void check(Program program, Path folder, int gpus) throws Exception {
        int needed = program.source().matches("(?s).*(Device\\.of\\(1\\)|World\\.threads\\(2).*") ? 2 : 1;
        assumeTrue(needed <= gpus, needed + " GPUs are needed, there are " + gpus);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            assertThat(program.run(loader)).as(program.name()).isEqualTo(program.output());
        } catch (AssertionError e) {
            if (e.getCause() instanceof UnsupportedOperationException lacking) {
                assumeTrue(!String.valueOf(lacking.getMessage()).contains("needs NCCL"), lacking.getMessage());
            }
            throw e;
        }
    }

    /** Packs the document and its programs, for a Java runtime without a compiler: DOCUMENT JAR. */
    public static void main(String[] args) throws IOException {
        Path document = Path.of(args[0]);
        Path folder = Files.createTempDirectory("comm4j-document");
        Document.compile(Document.programs(document), folder);
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(Path.of(args[1])))) {
            add(jar, PACKED.substring(1), document);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class")) {
                        add(jar, name, file);
                    }
                    Files.delete(file);
                }
            }
        }
        Files.delete(folder);
    }

    private static void add(JarOutputStream jar, String name, Path file) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        Files.copy(file, jar);
        jar.closeEntry();
    }
}
