// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.comm4j.bindgen.CTypes.Aggregate;
import org.comm4j.bindgen.CTypes.DataPointer;
import org.comm4j.bindgen.CTypes.Handle;
import org.comm4j.bindgen.CTypes.Kind;
import org.comm4j.bindgen.CTypes.Nothing;
import org.comm4j.bindgen.CTypes.Pointer;
import org.comm4j.bindgen.SymbolTable.Constant;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Enumeration;
import org.comm4j.bindgen.SymbolTable.Function;

/** The class of a library: its constants, and a static method for each function. */
final class LibraryClass {
    private final SymbolTable table;
    private final Target target;
    private final CTypes types;
    private final Shapes shapes;
    private final FamilyMethods families;

    /**
     * @param shapes of the package's calls; this adds those of the library's functions
     */
    LibraryClass(SymbolTable table, Target target, Shapes shapes) {
        this.table = table;
        this.target = target;
        this.types = new CTypes(table);
        this.shapes = shapes;
        this.families = new FamilyMethods(table, target, types, shapes);
    }

    String file() {
        return Template.fill(
                """
                ${licence}package ${package};

                ${imports}
                /**
                 * The C interface of ${library}, function by function under the C names; generated, see the package. Every
                 * function throws {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library,
                 * {@link UnsupportedOperationException} if the loaded one lacks the function${failures}.
                 *
                 * <p>Pointers to data of host or device are addresses, passed as numbers; pointers to what Java fills or reads are memory
                 * segments, {@link MemorySegment#NULL} for C's {@code NULL}.${more}
                 */
                @SuppressWarnings("MemberName") // names are C's
                public final class ${class} {
                    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.${name});

                    ${symbols}

                    ${constants}

                    private ${class}() {}

                    /** The library as found and loaded, or why not. */
                    public static NativeLibrary library() {
                        return LIBRARY;
                    }

                    /**
                     * Whether the loaded library has a function; false if there is no library.
                     *
                     * @throws IllegalArgumentException if this class has no function of that name
                     */
                    public static boolean has(String function) {
                        return LIBRARY.has(function);
                    }

                    ${functions}

                    ${statuses}
                }
                """,
                Map.ofEntries(
                        Map.entry("licence", JavaNames.LICENCE),
                        Map.entry("package", target.packageName()),
                        Map.entry("imports", imports()),
                        Map.entry("library", table.library()),
                        Map.entry("class", target.className()),
                        Map.entry("name", target.libraryName()),
                        Map.entry("symbols", symbols() + families.fields()),
                        Map.entry("constants", constants()),
                        Map.entry(
                                "functions",
                                table.functions().stream().map(this::function).collect(Collectors.joining("\n"))
                                        + "\n"
                                        + families.methods()),
                        Map.entry("more", target.more()),
                        Map.entry(
                                "failures",
                                target.hasStatus() ? ", and {@link NativeCallException} if the call fails" : ""),
                        Map.entry("statuses", target.hasStatus() ? statuses() : "")));
    }

    /** What becomes of statuses. */
    private String statuses() {
        return Template.fill(
                """
                private static void check(NativeFunction function, int status) {
                    if (${failed}) {
                        throw failure(function, status);
                    }
                }

                ${answer}

                private static NativeCallException failure(NativeFunction function, int status) {
                    return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
                }

                ${words}

                /** The C name of a status, or a text with its number if it is newer than this class. */
                public static String statusName(int status) {
                    return switch (status) {
                        ${statusNames}
                        default -> "status " + status;
                    };
                }
                """,
                Map.of(
                        "failed", failed(),
                        "answer", answer(),
                        "words", target.words(),
                        "statusNames", statusNames()));
    }

    /** All that a library class may need; the formatter drops what is not used. */
    private String imports() {
        Set<String> imports = new TreeSet<>(List.of(
                "java.lang.foreign.Arena",
                "java.lang.foreign.MemorySegment",
                "java.lang.foreign.SegmentAllocator",
                "java.lang.foreign.ValueLayout",
                "org.comm4j.ffi.LibraryName",
                "org.comm4j.ffi.NativeCallException",
                "org.comm4j.ffi.NativeFamily",
                "org.comm4j.ffi.NativeFunction",
                "org.comm4j.ffi.NativeLibrary",
                "org.comm4j.ffi.NativeMemory",
                "org.jspecify.annotations.Nullable"));
        table.handles().stream()
                .map(handle -> JavaNames.packageOf(handle.name(), target.packageName()) + "."
                        + JavaNames.ofClass(handle.name()))
                .filter(name -> !name.startsWith(target.packageName() + "."))
                .forEach(imports::add);
        return imports.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining());
    }

    private String symbols() {
        StringBuilder text = new StringBuilder();
        for (Function f : table.functions()) {
            List<String> arguments = new ArrayList<>(List.of(f.name()));
            boolean renamed = !f.symbols().equals(List.of(f.name()));
            if (renamed || !f.since().isEmpty()) {
                arguments.add(f.since());
            }
            if (renamed) {
                arguments.addAll(f.symbols());
            }
            text.append("private static final NativeFunction ")
                    .append(f.name())
                    .append(arguments.stream()
                            .map(each -> '"' + each + '"')
                            .collect(Collectors.joining(", ", " = LIBRARY.function(", ");\n")));
        }
        return text.toString();
    }

    private String constants() {
        StringBuilder text = new StringBuilder();
        for (Enumeration each : table.enums()) {
            text.append("// ").append(each.name()).append("\n\n");
            each.constants().forEach(constant -> text.append(constant(constant)));
            text.append('\n');
        }
        text.append(table.constants().isEmpty() ? "" : "// macros\n\n");
        table.constants().forEach(constant -> text.append(constant(constant)));
        return text.toString();
    }

    private static String constant(Constant constant) {
        long value = constant.value();
        String type = value == (int) value || value >>> 32 == 0 ? "int" : "long";
        String text =
                value == (int) value ? "" + value : value >>> 32 == 0 ? "0x" + Long.toHexString(value) : value + "L";
        return "public static final " + type + " " + constant.name() + " = " + text + ";\n";
    }

    private String failed() {
        return "status != " + target.success()
                + (target.alsoSuccess().isEmpty() ? "" : " && status != " + target.alsoSuccess());
    }

    private String answer() {
        if (target.answers().isEmpty()) {
            return "";
        }
        return """
            private static int answer(NativeFunction function, int status, int also) {
                if (status != also) {
                    check(function, status);
                }
                return status;
            }
            """;
    }

    private String statusNames() {
        Set<Long> seen = new LinkedHashSet<>();
        return table.enums().stream()
                .filter(each -> each.name().equals(target.status()))
                .flatMap(each -> each.constants().stream())
                .filter(constant -> seen.add(constant.value()))
                .map(constant -> "case " + constant.name() + " -> \"" + constant.name() + "\";\n")
                .collect(Collectors.joining());
    }

    private String function(Function f) {
        Kind result = types.kind(f.result());
        boolean status = target.isStatus(f);
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(f.name() + ".address()"));
        List<Kind> kinds = new ArrayList<>();
        if (result instanceof Aggregate) {
            parameters.add("SegmentAllocator allocator");
            arguments.add("allocator");
        }
        for (Declaration each : f.parameters()) {
            String name = JavaNames.ofVariable(each.name());
            Kind kind = target.isHost(each)
                    ? new Pointer()
                    : target.isData(each) ? new DataPointer() : types.kind(each.type());
            kinds.add(kind);
            parameters.add(JavaNames.ofType(kind) + " " + name);
            arguments.add(kind instanceof Handle ? name + ".address()" : name);
        }
        boolean string = f.result().equals("const char *");
        String call = "Downcalls." + shapes.add(string ? new DataPointer() : result, kinds) + "("
                + String.join(", ", arguments) + ")";
        String answer = target.answers().get(f.name());
        String body;
        String type;
        if (status && answer != null) {
            type = "int";
            body = "return answer(" + f.name() + ", " + call + ", " + answer + ");";
        } else if (status) {
            type = "void";
            body = "check(" + f.name() + ", " + call + ");";
        } else if (string) {
            type = "@Nullable String";
            body = "return NativeMemory.string(" + call + ");";
        } else {
            type = JavaNames.ofType(result);
            body = (result instanceof Nothing ? "" : "return ") + call + ";";
        }
        return documentation(table, target, f, "") + "public static " + type + " " + f.name() + "("
                + String.join(", ", parameters) + ") {\n" + body + "\n}\n";
    }

    /**
     * The Javadoc of a function.
     *
     * @param members of the family that the function stands for, or an empty text
     */
    static String documentation(SymbolTable table, Target target, Function f, String members) {
        StringBuilder text = new StringBuilder("/**\n * {@code ")
                .append(JavaNames.asWritten(TableText.prototype(f)))
                .append(members.isEmpty() ? "}\n" : "}; " + members + "\n");
        if (!target.note(f).isEmpty()) {
            text.append(" *\n * <p>").append(target.note(f)).append('\n');
        }
        if (!f.documentation().isEmpty()) {
            text.append(" *\n");
            String paragraph = "<p>";
            for (String line : f.documentation().lines().toList()) {
                text.append(" * ").append(paragraph).append(html(line)).append('\n');
                paragraph = "";
            }
        }
        if (!f.since().isEmpty()) {
            text.append(" *\n * @since ")
                    .append(table.library())
                    .append(' ')
                    .append(f.since())
                    .append('\n');
        }
        return text.append(" */\n").toString();
    }

    private static String html(String line) {
        return line.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("*/", "* /");
    }
}
