// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** All generated Java files from all symbol tables. */
final class Generator {
    private static final Formatter FORMATTER = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(JavaFormatterOptions.Style.PALANTIR).build());

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
        files.replaceAll(Generator::formatted);
        return files;
    }

    /** As the build's check of the format wants it. */
    private static String formatted(String name, String text) {
        try {
            return FORMATTER.formatSource(RemoveUnusedImports.removeUnusedImports(ImportOrderer.reorderImports(text, JavaFormatterOptions.Style.PALANTIR)));
        } catch (FormatterException e) {
            throw new IllegalStateException(name + " is not Java: " + e.getMessage() + "\n" + text, e);
        }
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
