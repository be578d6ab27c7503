// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Symbol tables to Java. By text templates, not by a library that builds sources from objects: what comes out can be read in the
 * generator as it will stand in the file, and the formatter takes care of blanks and line breaks.
 */
final class Bindings {
    private static final Formatter FORMATTER = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(Style.PALANTIR).build());

    private final Map<String, String> files = new TreeMap<>();

    private Bindings() {}

    /** All generated files: path below the source root to text. */
    static Map<String, String> files(Path tables) throws IOException {
        Bindings bindings = new Bindings();
        Map<String, Shapes> shapes = new TreeMap<>();
        for (Library library : Library.values()) {
            Target target = Target.of(library);
            SymbolTable table = TableText.read(
                    Files.readString(tables.resolve(library.source().tableFile())));
            bindings.add(table, target, shapes.computeIfAbsent(target.packageName(), Shapes::new));
        }
        shapes.forEach((packageName, each) -> bindings.put(packageName, "Downcalls.java", each.file()));
        return bindings.files;
    }

    private void add(SymbolTable table, Target target, Shapes shapes) {
        put(target.packageName(), target.className() + ".java", new LibraryClass(table, target, shapes).file());
        for (SymbolTable.Handle handle : table.handles()) {
            if (!JavaNames.isForeign(handle.name())) {
                put(target.packageName(), JavaNames.ofClass(handle.name()) + ".java", handle(handle, table, target));
            }
        }
        new StructClasses(table, target).files().forEach((name, text) -> put(target.packageName(), name, text));
    }

    private static String handle(SymbolTable.Handle handle, SymbolTable table, Target target) {
        return Template.fill(
                """
                ${licence}package ${package};

                /**
                 * {@code ${c}}: a pointer that only ${library} looks behind.
                 *
                 * @param address what C has in the pointer
                 */
                public record ${class}(long address) {
                    /** C's {@code NULL}. */
                    public static final ${class} NULL = new ${class}(0);

                    public boolean isNull() {
                        return address == 0;
                    }
                }
                """,
                Map.of(
                        "licence", JavaNames.LICENCE,
                        "package", target.packageName(),
                        "c", handle.name(),
                        "library", "the " + table.library() + " library",
                        "class", JavaNames.ofClass(handle.name())));
    }

    private void put(String packageName, String name, String text) {
        files.put(packageName.replace('.', '/') + "/" + name, formatted(name, text));
    }

    /** As the build's check of the format wants it. */
    private static String formatted(String name, String text) {
        try {
            String ordered = ImportOrderer.reorderImports(text, Style.PALANTIR);
            return FORMATTER.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
        } catch (FormatterException e) {
            throw new IllegalStateException(name + " is not Java: " + e.getMessage() + "\n" + text, e);
        }
    }

    static void write(Path tables, Path sources) throws IOException {
        for (Map.Entry<String, String> file : files(tables).entrySet()) {
            Path path = sources.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
