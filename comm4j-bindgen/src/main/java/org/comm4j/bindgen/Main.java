// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code tables FOLDER}: headers to symbol tables. {@code java FOLDER SOURCES}: symbol tables to Java. */
public final class Main {
    private Main() {}

    /** @param arguments what to do, and the folder of the tables */
    public static void main(String... arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("java")) {
            Generator.write(folder, Path.of(arguments[2]));
            return;
        }
        for (Libraries library : Libraries.values()) {
            SymbolTable table = new Tables(Natives.standard()).read(library);
            Files.writeString(folder.resolve(library.source().tableFile()), TableText.write(table));
            System.out.println(
                    library.source().name() + ": " + table.functions().size() + " functions");
        }
    }
}
