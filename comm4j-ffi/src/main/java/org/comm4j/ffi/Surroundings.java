// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.MemorySegment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.comm4j.ffi.DynamicLoader.LoadException;

/**
 * What the search for a library looks at; a test gives its own.
 *
 * @param properties system properties by name, an empty text for one that is not set
 * @param variables environment variables, likewise
 * @param home the user's folder, as text
 * @param root of the file system, below which the usual folders lie
 */
record Surroundings(
        UnaryOperator<String> properties, UnaryOperator<String> variables, String home, Path root, Loader loader) {
    /** Loads a file, or what the system finds under a name without a slash. */
    @FunctionalInterface
    interface Loader {
        MemorySegment load(String name) throws LoadException;
    }

    static Surroundings ofProcess() {
        return new Surroundings(
                name -> System.getProperty(name, ""),
                Surroundings::variable,
                System.getProperty("user.home", "/"),
                Path.of("/"),
                DynamicLoader::load);
    }

    static String variable(String name) {
        return System.getenv().getOrDefault(name, "");
    }

    /** Nothing for a text that is no path: the encoding of this process lacks one of its letters, or it has a NUL. */
    static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text).toAbsolutePath());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
