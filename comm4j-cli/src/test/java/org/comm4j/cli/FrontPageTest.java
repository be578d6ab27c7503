// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Document;
import org.comm4j.test.Document.Program;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a newcomer reads first is true, short, and leads somewhere. */
class FrontPageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path README = ROOT.resolve("README.md");
    private static final Path START = ROOT.resolve("docs/getting-started.md");
    private static final Path SETTINGS = ROOT.resolve("docs/environment.md");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"README.md, 90", "CHANGELOG.md, 40", "docs/getting-started.md, 400", "docs/environment.md, 150"})
    void thePageIsShort(String page, int lines) throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve(page)))
                .hasSizeLessThanOrEqualTo(lines)
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(120));
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "CHANGELOG.md", "docs/getting-started.md", "docs/environment.md"})
    void itsLinksLeadSomewhere(String page) throws IOException {
        Path file = ROOT.resolve(page);
        assertThat(all("\\]\\((?!https?:)([^)#]+)", file).map(each -> each.group(1)))
                .allSatisfy(link -> assertThat(file.resolveSibling(link)).exists());
    }

    /** The first program is that of the guide, and does what both say. */
    @Test
    void theFirstProgramPrintsWhatThePageSays() throws Exception {
        List<Program> programs = Document.programs(README);
        assertThat(programs).hasSize(1).isEqualTo(Document.programs(START));
        Program hello = programs.getFirst();
        Files.writeString(folder.resolve(hello.name() + ".java"), hello.source());
        String command =
                all("\\./comm4j (run [^`]*)`", README).findFirst().orElseThrow().group(1);
        ProcessBuilder builder = Running.comm4j(List.of(), List.of(command.split(" ")));
        Outcome outcome =
                Running.start(builder.directory(folder.toFile()), folder).end(Duration.ofMinutes(2));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.lines())
                .containsExactlyInAnyOrderElementsOf(hello.output().lines().toList());
    }

    /** The same by MPI; the ranks say it in whatever order. */
    @Test
    @Tag("nightly")
    void theFirstProgramPrintsTheSameOverMpi() throws Exception {
        Program hello = Document.programs(README).getFirst();
        Files.writeString(folder.resolve(hello.name() + ".java"), hello.source());
        ProcessBuilder builder =
                Running.comm4j(List.of(), List.of("run", "--engine", "mpi", "-n", "4", hello.name() + ".java"));
        Outcome outcome =
                Running.start(builder.directory(folder.toFile()), folder).end(Duration.ofMinutes(2));
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.lines())
                .containsExactlyInAnyOrderElementsOf(hello.output().lines().toList());
    }

    /** Packages are where readers of the reference begin. */
    @ParameterizedTest
    @CsvSource({
        "comm4j-core/src/main/java/org/comm4j/core/spi, host: ready",
        "comm4j-kernel/src/main/java/org/comm4j/kernel, '[2.0, 4.0, 6.0]'"
    })
    void theProgramsOfPackagesRun(String packageFolder, String output) throws Exception {
        String snippet = all(
                        "(?s)\\{@snippet lang = java :\n(.*?)\n \\* }\n \\*/",
                        ROOT.resolve(packageFolder).resolve("package-info.java"))
                .findFirst()
                .orElseThrow()
                .group(1)
                .replaceAll("(?m)^ \\* ?", "");
        String name = Pattern.compile("class (\\w+)")
                .matcher(snippet)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        Program program = new Program(name, snippet, "");
        Document.compile(List.of(program), folder);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            assertThat(program.run(loader)).contains(output);
        }
    }

    @Test
    void theExcerptIsOfAProgramThatRuns() throws IOException {
        String excerpt = all("(?ms)^```java excerpt\\n(.*?)^```$", README)
                .collect(Collectors.collectingAndThen(Collectors.toList(), List::getLast))
                .group(1);
        assertThat(ROOT.resolve("docs/device-communication.md")).content().contains(excerpt.indent(4));
    }

    @Test
    void everyVariableIsOnThePageOfSettings() throws IOException {
        assertThat(documented("COMM4J_\\w+"))
                .containsExactlyInAnyOrderElementsOf(inSources("\"(COMM4J_\\w+)\"|(?<=\\$\\{)(COMM4J_\\w+)"));
    }

    @Test
    void everyPropertyIsOnThePageOfSettings() throws IOException {
        // As they are read, as constants for that, and as LibraryName has them.
        assertThat(documented("(?:org\\.)?comm4j\\.(?!ffi)[a-z.]+"))
                .containsExactlyInAnyOrderElementsOf(inSources(
                        "(?:get(?:Property|Boolean|Integer|Long)\\(|[A-Z_]+ =\\s)\"((?:org\\.)?comm4j\\.[a-z.]+)\""
                                + "|\"(org\\.comm4j\\.\\w+\\.library)\""));
    }

    /** What others call by these names is read by comm4j, too. */
    @Test
    void thePageOfSettingsNamesNoVariableThatNobodyReads() throws IOException {
        assertThat(inSources("\"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\""))
                .containsAll(documented("(?!COMM4J_JDK|COMM4J_JAVA|NCCL_DEBUG)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"));
    }

    private static Set<String> documented(String name) throws IOException {
        return all("`(" + name + ")`", SETTINGS)
                .map(each -> each.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> inSources(String pattern) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : sources()) {
            all(pattern, file)
                    .map(each -> each.group(1) != null ? each.group(1) : each.group(2))
                    .forEach(names::add);
        }
        // The beginning of a key, or a package.
        names.removeIf(name -> name.endsWith(".") || name.endsWith("_") || isPackage(name));
        return names;
    }

    private static boolean isPackage(String name) {
        String module = name.replaceFirst("^org\\.comm4j\\.(\\w+).*", "comm4j-$1");
        return Files.isDirectory(ROOT.resolve(module).resolve("src/main/java").resolve(name.replace('.', '/')));
    }

    /** Everything that reads settings: the modules and the scripts, not the tests and their support. */
    private static List<Path> sources() throws IOException {
        List<Path> files =
                new ArrayList<>(List.of(ROOT.resolve("comm4j"), ROOT.resolve("mvnw"), ROOT.resolve("dev/jdk.sh")));
        try (Stream<Path> folders = Files.list(ROOT)) {
            for (Path module : folders.filter(
                            each -> each.getFileName().toString().startsWith("comm4j-"))
                    .filter(each -> !each.endsWith("comm4j-test"))
                    .map(each -> each.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> inside = Files.walk(module)) {
                    inside.filter(each -> each.toString().endsWith(".java")).forEach(files::add);
                }
            }
        }
        return files;
    }

    private static Stream<MatchResult> all(String pattern, Path file) throws IOException {
        return Pattern.compile(pattern).matcher(Files.readString(file)).results();
    }
}
