// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts that were looked at once and are compared from then on, in {@code src/test/resources/golden}. {@code
 * -Dgolden.write=true} writes them anew.
 */
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    public static void check(String name, String text) {
        Path file = FOLDER.resolve(name);
        try {
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, text);
            }
            assertThat(text).as(name).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
