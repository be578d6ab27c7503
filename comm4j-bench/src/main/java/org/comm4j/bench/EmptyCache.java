// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of its own for compiled kernels, empty at first, while it is open. */
final class EmptyCache implements AutoCloseable {
    /** Names the folder. */
    static final String PROPERTY = "org.comm4j.kernel.cache";

    private final @Nullable String usual = System.getProperty(PROPERTY);
    private final Path folder;

    EmptyCache() {
        try {
            folder = Files.createTempDirectory("comm4j-bench");
        } catch (IOException e) {
            throw unusable(e);
        }
        System.setProperty(PROPERTY, folder.toString());
    }

    Path folder() {
        return folder;
    }

    private static UncheckedIOException unusable(IOException e) {
        return new UncheckedIOException("cannot keep kernels in a folder of their own: " + e, e);
    }

    @Override
    public void close() {
        if (usual == null) {
            System.clearProperty(PROPERTY);
        } else {
            System.setProperty(PROPERTY, usual);
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }
}
