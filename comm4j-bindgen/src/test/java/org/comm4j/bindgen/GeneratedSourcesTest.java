// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bindings in comm4j-ffi are what the generator makes of the symbol tables. */
class GeneratedSourcesTest {
    private static final Path SOURCES = Path.of("../comm4j-ffi/src/main/java");

    @Test
    void checkedInSourcesAreThoseOfTheTables() throws IOException {
        Map<String, String> made = Bindings.files(Checkout.TABLES);
        Map<String, String> found = new TreeMap<>();
        for (String folder : made.keySet().stream()
                .map(GeneratedSourcesTest::parent)
                .distinct()
                .toList()) {
            try (Stream<Path> files = Files.list(SOURCES.resolve(folder))) {
                for (Path file : files.toList()) {
                    found.put(SOURCES.relativize(file).toString(), Files.readString(file));
                }
            }
        }
        assertThat(found.keySet())
                .as("generated files; dev/bindgen makes them, what it does not make is to be removed")
                .isEqualTo(made.keySet());
        made.forEach((name, text) -> assertThat(found.get(name))
                .as("%s; dev/bindgen makes it from the symbol table", name)
                .isEqualTo(text));
    }

    @Test
    void declarationsOfDeviceFunctionsAreThoseOfTheTable() throws IOException {
        Path sources = Path.of("../comm4j-device/src/main/java");
        for (Map.Entry<String, String> made :
                Bindings.deviceFiles(Checkout.TABLES).entrySet()) {
            assertThat(Files.readString(sources.resolve(made.getKey())))
                    .as("%s; dev/bindgen makes it from %s", made.getKey(), NvshmemDevice.TABLE)
                    .isEqualTo(made.getValue());
        }
    }

    private static String parent(String file) {
        return file.substring(0, file.lastIndexOf('/'));
    }
}
