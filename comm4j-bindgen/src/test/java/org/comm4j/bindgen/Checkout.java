// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The symbol tables in the repository. */
final class Checkout {
    static final Path TABLES = Path.of("src/tables");

    private Checkout() {}

    static String text(Library library) {
        try {
            return Files.readString(TABLES.resolve(library.source().tableFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SymbolTable table(Library library) {
        return TableText.read(text(library));
    }
}
