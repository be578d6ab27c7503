// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages say in {@code package-info.java} what they are for: there a newcomer begins to read. */
class PackagePagesTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void everyPackageOfAModuleHasAPage() throws IOException {
        List<String> without = new ArrayList<>();
        int packages = 0;
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList()) {
                for (Path folder : packagesIn(sources)) {
                    packages++;
                    Path page = folder.resolve("package-info.java");
                    if (!Files.exists(page) || !Files.readString(page).contains("/**")) {
                        without.add(ROOT.relativize(folder).toString());
                    }
                }
            }
        }
        assertThat(packages).isGreaterThan(40);
        assertThat(without).isEmpty();
    }

    private static List<Path> packagesIn(Path sources) throws IOException {
        try (Stream<Path> folders = Files.walk(sources)) {
            return folders.filter(folder -> Files.isDirectory(folder) && !folder.equals(sources))
                    .filter(PackagePagesTest::hasTypes)
                    .toList();
        }
    }

    private static boolean hasTypes(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".java")
                    && !file.endsWith("package-info.java")
                    && !file.endsWith("module-info.java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
