// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.spi.Suggestion;
import org.jspecify.annotations.Nullable;

/** The words after {@code comm4j run} that name a program: mistakes are found before each rank reports them. */
final class ProgramWords {
    /** Options of {@code java} that may say where classes are. */
    private static final Pattern OWN_CLASSES =
            Pattern.compile("(-cp|-classpath|--class-path|-p|--module-path|--patch-module|-Xbootclasspath|@).*");

    private static final Set<String> CLASS_VARIABLES = Set.of("CLASSPATH", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

    private ProgramWords() {}

    /**
     * Returns what is wrong with a program that is neither a source file nor a command, with the remedy; null if
     * {@code java} may know it.
     *
     * @param first the first word
     * @param parallel the commands that {@code run} starts
     * @param commands all commands
     * @param classPath the class path of the ranks; null if it is not known
     */
    static @Nullable String problem(
            String first, Collection<String> parallel, Collection<String> commands, @Nullable String classPath) {
        if (first.startsWith("-") || first.startsWith("@")) {
            return null;
        }
        if (commands.contains(first)) {
            return first + " has no ranks; it is comm4j " + first;
        }
        Path path;
        try {
            path = Path.of(first);
        } catch (InvalidPathException e) {
            return null;
        }
        if (Files.isDirectory(path)) {
            return first + " is a folder" + sources(path);
        }
        if (first.endsWith(".jar")) {
            return Files.exists(path)
                    ? first + " is a jar, which java starts: comm4j run -- -jar " + first
                    : "there is no file " + first;
        }
        String file = first.replace('.', '/') + ".class";
        // Modules of comm4j have programs, too.
        if (classPath == null || ClassLoader.getSystemResource(file) != null) {
            return null;
        }
        List<String> places = Arrays.stream(classPath.split(File.pathSeparator))
                .map(place -> place.isEmpty() ? "." : place)
                .toList();
        // What is in jars is java's to find.
        boolean known = places.stream().allMatch(place -> Files.isDirectory(Path.of(place)));
        if (!known || places.stream().anyMatch(place -> Files.exists(Path.of(place, file)))) {
            return null;
        }
        String suggestion = Suggestion.of(first, parallel);
        return "there is no class " + first + " on the class path"
                + (suggestion.isEmpty()
                        ? "; name its folder or jar: comm4j run -- -cp CLASSES " + first
                        : ", and no command of that name" + suggestion);
    }

    /**
     * Returns the class path of the ranks; null if their options or variables have one of their own.
     *
     * @param own the class path of this JVM
     */
    static @Nullable String classPath(Collection<String> jvmOptions, Collection<String> variables, String own) {
        return jvmOptions.stream()
                                .anyMatch(option -> OWN_CLASSES.matcher(option).matches())
                        || variables.stream().anyMatch(CLASS_VARIABLES::contains)
                ? null
                : own;
    }

    /** Returns the remedy for a folder in place of a file. */
    private static String sources(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> found = files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .sorted()
                    .limit(3)
                    .toList();
            return found.isEmpty()
                    ? "; name a Java file, or the class path before a class: comm4j run -- -cp " + folder + " Main"
                    : "; name a file in it: " + String.join(", ", found);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
