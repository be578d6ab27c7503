// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code comm4j run} says of words that name no program. */
class ProgramWordsTest {
    @TempDir
    private Path folder;

    private static @Nullable String problem(String first, @Nullable String classPath) {
        return ProgramWords.problem(first, List.of("jacobi", "bench"), List.of("jacobi", "bench", "doctor"), classPath);
    }

    @Test
    void aFolderIsToldWithItsSources() throws Exception {
        assertThat(problem(folder.toString(), ""))
                .isEqualTo(folder
                        + " is a folder; name a Java file, or the class path before a class: comm4j run -- -cp "
                        + folder
                        + " Main");
        Path file = Files.createFile(folder.resolve("Hello.java"));
        assertThat(problem(folder.toString(), "")).isEqualTo(folder + " is a folder; name a file in it: " + file);
    }

    @Test
    void aJarIsStartedByJava() throws Exception {
        Path jar = Files.createFile(folder.resolve("app.jar"));
        assertThat(problem(jar.toString(), "")).endsWith("which java starts: comm4j run -- -jar " + jar);
        assertThat(problem(folder + "/other.jar", "")).isEqualTo("there is no file " + folder + "/other.jar");
    }

    @Test
    void aClassIsLookedForWhereTheRanksWould() throws Exception {
        String remedy = "there is no class demo.Sum on the class path; name its folder or jar: comm4j run -- -cp"
                + " CLASSES demo.Sum";
        assertThat(problem("demo.Sum", "")).isEqualTo(remedy);
        assertThat(problem("demo.Sum", folder.toString())).isEqualTo(remedy);
        Files.createDirectory(folder.resolve("demo"));
        Files.createFile(folder.resolve("demo/Sum.class"));
        assertThat(problem("demo.Sum", folder.toString())).isNull();
        Path jar = Files.createFile(folder.resolve("app.jar"));
        assertThat(problem("other.Sum", folder + ":" + jar)).isNull();
    }

    @Test
    void aClassOfAModuleIsKnown() {
        assertThat(problem("org.comm4j.bench.operators.PylopsCases", folder.toString()))
                .isNull();
    }

    @Test
    void ranksMayHaveAClassPathOfTheirOwn() {
        assertThat(problem("demo.Sum", null)).isNull();
        assertThat(ProgramWords.classPath(List.of("-Xmx1g"), List.of("A"), "own"))
                .isEqualTo("own");
        assertThat(ProgramWords.classPath(List.of("--class-path=classes"), List.of(), "own"))
                .isNull();
        assertThat(ProgramWords.classPath(List.of("-cp", "classes"), List.of(), "own"))
                .isNull();
        assertThat(ProgramWords.classPath(List.of(), List.of("CLASSPATH"), "own"))
                .isNull();
    }

    @Test
    void commandsAreToldApart() {
        assertThat(problem("jacobbi", ""))
                .isEqualTo("there is no class jacobbi on the class path, and no command of that name; did you mean"
                        + " jacobi?");
        assertThat(problem("doctor", "")).isEqualTo("doctor has no ranks; it is comm4j doctor");
    }

    @Test
    void optionsAreJavas() {
        assertThat(problem("-cp", "")).isNull();
        assertThat(problem("@arguments", "")).isNull();
    }
}
