// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** All generated Java files from all symbol tables. */
final class Generator {
    private Generator() {}

    /** Path below the source root to text. */
    static Map<String, String> files(Path tables) throws IOException {
        Map<String, String> files = new TreeMap<>();
        Map<String, Shapes> shapes = new TreeMap<>();
        for (Libraries library : Libraries.values()) {
            SymbolTable table = TableText.read(
                    Files.readString(tables.resolve(library.source().tableFile())));
            Target target = Target.of(library);
            Shapes ofPackage = shapes.computeIfAbsent(target.packageName(), Shapes::new);
            new Bindings(table, target, ofPackage)
                    .files()
                    .forEach((name, text) -> files.put(folder(target.packageName()) + name, text));
        }
        shapes.forEach((packageName, each) -> files.put(folder(packageName) + "Downcalls.java", each.file()));
        return files;
    }

    private static String folder(String packageName) {
        return packageName.replace('.', '/') + "/";
    }

    static void write(Path tables, Path sources) throws IOException {
        for (Map.Entry<String, String> file : files(tables).entrySet()) {
            Path path = sources.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
