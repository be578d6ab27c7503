// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.comm4j.bindgen.CTypes.Aggregate;
import org.comm4j.bindgen.CTypes.DataPointer;
import org.comm4j.bindgen.CTypes.Field;
import org.comm4j.bindgen.CTypes.Handle;
import org.comm4j.bindgen.CTypes.Kind;
import org.comm4j.bindgen.CTypes.Nothing;
import org.comm4j.bindgen.CTypes.Placed;
import org.comm4j.bindgen.CTypes.Pointer;
import org.comm4j.bindgen.CTypes.Value;
import org.comm4j.bindgen.SymbolTable.Constant;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Enumeration;
import org.comm4j.bindgen.SymbolTable.Function;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;

/**
 * Symbol table to Java. Plain text templates, not a library that builds sources from objects: what comes out can be read here as it
 * will stand in the file, and the formatter takes care of blanks and line breaks.
 */
final class Bindings {
    private static final String HEADER = """
            // Copyright the comm4j authors.
            // SPDX-License-Identifier: Apache-2.0

            """;

    private static final Set<String> JAVA_WORDS =
            Set.of("default", "native", "package", "new", "class", "final", "this");

    /** Handles that go by another library's type. */
    private static final Map<String, String> FOREIGN = Map.of("cudaStream_t", "CUstream", "cudaEvent_t", "CUevent");

    private final SymbolTable table;
    private final Target target;
    private final CTypes types;
    private final Shapes shapes;

    /**
     * @param shapes of this package's calls; this adds those of its functions
     */
    Bindings(SymbolTable table, Target target, Shapes shapes) {
        this.table = table;
        this.target = target;
        this.types = new CTypes(table);
        this.shapes = shapes;
    }

    /** The Java files of a library, by their names. */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(target.className() + ".java", library());
        for (SymbolTable.Handle handle : table.handles()) {
            if (!FOREIGN.containsKey(handle.name())) {
                files.put(javaName(handle.name()) + ".java", handle(handle));
            }
        }
        for (Struct struct : table.structs()) {
            List<Layout> compatible = compatible(struct);
            files.put(
                    javaName(struct.name()) + ".java",
                    struct(struct, struct.newest(), compatible, javaName(struct.name())));
            for (Layout layout : struct.layouts()) {
                if (!compatible.contains(layout)) {
                    String name = javaName(struct.name()) + "V" + layout.since().replace('.', '_');
                    files.put(name + ".java", struct(struct, layout, List.of(layout), name));
                }
            }
        }
        return files;
    }

    /** {@code ncclConfig_t} is NcclConfig. */
    static String javaName(String c) {
        String name = FOREIGN.getOrDefault(c, c.endsWith("_t") ? c.substring(0, c.length() - 2) : c);
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private static String javaWord(String c) {
        return JAVA_WORDS.contains(c) ? c + "_" : c;
    }

    // ---- the library class ----

    private String library() {
        StringBuilder members = new StringBuilder();
        for (Function f : table.functions()) {
            members.append("private static final NativeFunction %s = LIBRARY.function(\"%s\", \"%s\"%s);\n"
                    .formatted(
                            f.name(),
                            f.name(),
                            f.since(),
                            f.symbols().equals(List.of(f.name()))
                                    ? ""
                                    : f.symbols().stream()
                                            .map(s -> ", \"" + s + "\"")
                                            .collect(Collectors.joining())));
        }
        members.append('\n');
        for (Enumeration each : table.enums()) {
            members.append("// ").append(each.name()).append("\n\n");
            each.constants().forEach(constant -> members.append(constant(constant)));
            members.append('\n');
        }
        if (!table.constants().isEmpty()) {
            members.append("// macros\n\n");
            table.constants().forEach(constant -> members.append(constant(constant)));
        }
        String functions = table.functions().stream().map(this::function).collect(Collectors.joining("\n"));
        // The formatter drops those that turn out to be unused.
        Set<String> imports = new TreeSet<>(List.of(
                "java.lang.foreign.Arena",
                "java.lang.foreign.MemorySegment",
                "java.lang.foreign.SegmentAllocator",
                "java.lang.foreign.ValueLayout",
                "org.comm4j.ffi.LibraryName",
                "org.comm4j.ffi.NativeCallException",
                "org.comm4j.ffi.NativeFunction",
                "org.comm4j.ffi.NativeLibrary",
                "org.comm4j.ffi.NativeMemory",
                "org.jspecify.annotations.Nullable"));
        table.handles().stream()
                .filter(handle -> FOREIGN.containsKey(handle.name()))
                .forEach(handle -> imports.add("org.comm4j.ffi.cuda." + javaName(handle.name())));
        return HEADER + "package " + target.packageName() + ";\n\n"
                + imports.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining())
                + """

                /**
                 * The C interface of %s, function by function under the C names; generated, see the package's description.
                 * A function that the loaded library lacks throws UnsupportedOperationException, every function throws
                 * {@link org.comm4j.ffi.LibraryNotFoundException} if there is no library, and {@link NativeCallException} if the call fails.
                 */
                @SuppressWarnings({"MemberName", "SameNameButDifferent"}) // names are C's
                public final class %s {
                    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibraryName.%s);

                    %s
                    private %s() {}

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

                    %s

                    private static void check(NativeFunction function, int status) {
                        if (status != %s%s) {
                            throw failure(function, status);
                        }
                    }
                    %s
                    private static NativeCallException failure(NativeFunction function, int status) {
                        return new NativeCallException(LIBRARY, function.name(), status, statusName(status), words(status));
                    }

                    %s

                    /** The C name of a status; its number in words for one that is newer than this class. */
                    public static String statusName(int status) {
                        return switch (status) {
                            %s
                            default -> "status " + status;
                        };
                    }
                }
                """.formatted(
                                table.library(),
                                target.className(),
                                target.libraryName(),
                                members,
                                target.className(),
                                functions,
                                target.success(),
                                target.alsoSuccess().isEmpty() ? "" : " && status != " + target.alsoSuccess(),
                                target.answers().isEmpty() ? "" : ANSWER.formatted(target.success()),
                                target.words(),
                                statusNames());
    }

    private static final String ANSWER = """

            private static int answer(NativeFunction function, int status, int also) {
                if (status != %s && status != also) {
                    throw failure(function, status);
                }
                return status;
            }
            """;

    private String statusNames() {
        Set<Long> seen = new LinkedHashSet<>();
        return table.enums().stream()
                .filter(each -> each.name().equals(target.status()))
                .flatMap(each -> each.constants().stream())
                .filter(constant -> seen.add(constant.value()))
                .map(constant -> "case " + constant.name() + " -> \"" + constant.name() + "\";\n")
                .collect(Collectors.joining());
    }

    private static String constant(Constant constant) {
        long value = constant.value();
        String type = value == (int) value || value >>> 32 == 0 ? "int" : "long";
        String text =
                value == (int) value ? "" + value : value >>> 32 == 0 ? "0x" + Long.toHexString(value) : value + "L";
        return "public static final " + type + " " + constant.name() + " = " + text + ";\n";
    }

    private String function(Function f) {
        Kind result = types.kind(f.result());
        boolean status = f.result().equals(target.status());
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(f.name() + ".address()"));
        List<Kind> kinds = new ArrayList<>();
        if (result instanceof Aggregate) {
            parameters.add("SegmentAllocator allocator");
            arguments.add("allocator");
        }
        for (Declaration each : f.parameters()) {
            String name = javaWord(each.name());
            Kind kind = types.kind(each.type());
            kinds.add(kind);
            parameters.add(javaType(kind) + " " + name);
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
            type = javaType(result);
            body = (result instanceof Nothing ? "" : "return ") + call + ";";
        }
        return documentation(f) + "public static " + type + " " + f.name() + "(" + String.join(", ", parameters)
                + ") {\n" + body + "\n}\n";
    }

    private String documentation(Function f) {
        StringBuilder text = new StringBuilder("/**\n * {@code ")
                .append(c(TableText.prototype(f)))
                .append("}\n");
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

    /** C as people write it: asterisks at the name. */
    private static String c(String prototype) {
        return prototype.replace("* ", "*").replace("*const*", "*const *");
    }

    private static String html(String line) {
        return line.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("@", "&#64;")
                .replace("*/", "* /");
    }

    private static String javaType(Kind kind) {
        return switch (kind) {
            case Nothing() -> "void";
            case Value value -> value.java();
            case DataPointer() -> "long";
            case Pointer(), Aggregate _ -> "MemorySegment";
            case Handle handle -> javaName(handle.name());
        };
    }

    // ---- handles ----

    private String handle(SymbolTable.Handle handle) {
        return HEADER
                + """
                package %s;

                /** {@code %s}: a pointer that only %s looks behind. */
                public record %s(long address) {
                    /** C's {@code NULL}. */
                    public static final %s NULL = new %s(0);

                    public boolean isNull() {
                        return address == 0;
                    }
                }
                """.formatted(
                                target.packageName(),
                                handle.name(),
                                table.library(),
                                javaName(handle.name()),
                                javaName(handle.name()),
                                javaName(handle.name()));
    }

    // ---- structs ----

    /** The layouts that the newest one only adds fields to: one class serves them all. */
    private List<Layout> compatible(Struct struct) {
        List<Field> newest = types.place(struct.newest()).fields();
        return struct.layouts().stream()
                .filter(layout -> newest.containsAll(types.place(layout).fields()))
                .toList();
    }

    private String struct(Struct struct, Layout layout, List<Layout> compatible, String name) {
        Placed placed = types.place(layout);
        StringBuilder fields = new StringBuilder();
        for (Field field : placed.fields()) {
            fields.append(
                    "/** {@code %s}, %d bytes. */\n".formatted(c(field.type() + " " + field.name()), field.bytes()));
            fields.append("public static final long %s = %d;\n\n".formatted(javaWord(field.name()), field.offset()));
        }
        boolean several = struct.layouts().size() > 1;
        String versions = several ? ", as of " + table.library() + " " + layout.since() : "";
        String sizes = compatible.size() < 2 ? "" : sizes(struct, compatible);
        return HEADER + "package " + target.packageName() + ";\n\n"
                + """
                import java.lang.foreign.MemoryLayout;
                import java.lang.foreign.StructLayout;
                import java.lang.foreign.UnionLayout;
                import java.lang.foreign.ValueLayout;

                /** Offsets of the fields of {@code %s}%s. */
                @SuppressWarnings("MemberName") // names are C's
                public final class %s {
                    /** Size of the struct. */
                    public static final long BYTES = %d;

                    %s
                    public static final %s LAYOUT = %s;

                    private %s() {}
                %s
                }
                """.formatted(
                                struct.name(),
                                versions,
                                name,
                                placed.bytes(),
                                fields,
                                layout.union() ? "UnionLayout" : "StructLayout",
                                layoutText(layout, placed),
                                name,
                                sizes)
                        .replace(
                                layout.union()
                                        ? "import java.lang.foreign.StructLayout;\n"
                                        : "import java.lang.foreign.UnionLayout;\n",
                                "");
    }

    private String sizes(Struct struct, List<Layout> compatible) {
        StringBuilder cases = new StringBuilder();
        for (Layout layout : compatible.reversed()) {
            cases.append("if (version >= %d) {\nreturn %d;\n}\n"
                    .formatted(code(layout.since()), types.place(layout).bytes()));
        }
        return """

                /**
                 * Size of the struct in a version of the library: newer ones add fields at the end.
                 *
                 * @param version as the library gives it (23203 for 2.32.3)
                 * @throws IllegalArgumentException if the version is older than the first whose struct is laid out so
                 */
                public static long bytes(int version) {
                    %s
                    throw new IllegalArgumentException("%s is not laid out like this before %s, not in version " + version);
                }
                """.formatted(cases, struct.name(), compatible.getFirst().since());
    }

    private static int code(String version) {
        String[] parts = version.split("\\.");
        return Integer.parseInt(parts[0]) * 10000 + Integer.parseInt(parts[1]) * 100 + Integer.parseInt(parts[2]);
    }

    private String layoutText(Layout layout, Placed placed) {
        return layoutText(layout.fields(), layout.union(), placed, layout.since());
    }

    private String layoutText(List<Declaration> declarations, boolean union, Placed placed, String version) {
        List<String> members = new ArrayList<>();
        long end = 0;
        for (Declaration each : declarations) {
            Placed one =
                    types.place(new Layout(version, union, declarations.subList(0, declarations.indexOf(each) + 1)));
            Placed alone = types.place(new Layout(version, union, List.of(each)));
            long unpadded = alone.bytes();
            long offset = union ? 0 : (end + alone.alignment() - 1) / alone.alignment() * alone.alignment();
            if (offset > end && !union) {
                members.add("MemoryLayout.paddingLayout(" + (offset - end) + ")");
            }
            members.add(memberText(each, version));
            end = union ? Math.max(end, unpadded) : offset + unpadded;
            if (one.bytes() < end) {
                throw new IllegalStateException("struct of " + declarations + " grew backwards");
            }
        }
        if (!union && placed.bytes() > end) {
            members.add("MemoryLayout.paddingLayout(" + (placed.bytes() - end) + ")");
        }
        return "MemoryLayout." + (union ? "unionLayout" : "structLayout") + "(" + String.join(", ", members) + ")";
    }

    private String memberText(Declaration field, String version) {
        String element = CTypes.element(field.type());
        int count = CTypes.count(field.type());
        String text;
        if (element.contains("{")) {
            List<Declaration> parts = CTypes.parts(element);
            boolean union = element.startsWith("union");
            text = layoutText(parts, union, types.place(new Layout(version, union, parts)), version);
        } else {
            text = switch (types.kind(element)) {
                case Value value -> "ValueLayout.JAVA_" + value.java().toUpperCase(java.util.Locale.ROOT);
                case Aggregate aggregate -> aggregateLayout(aggregate.name(), version);
                case DataPointer(), Pointer(), Handle _ -> "ValueLayout.ADDRESS";
                case Nothing() -> throw new IllegalArgumentException("a field of type void: " + field);
            };
        }
        if (!field.type().equals(element)) {
            text = "MemoryLayout.sequenceLayout(" + count + ", " + text + ")";
        }
        return field.name().equals("-") ? text : text + ".withName(\"" + field.name() + "\")";
    }

    private String aggregateLayout(String struct, String version) {
        Struct found = table.structs().stream()
                .filter(each -> each.name().equals(struct))
                .findFirst()
                .orElseThrow();
        Layout layout = types.layoutOf(struct, version);
        if (layout.equals(found.newest())) {
            return javaName(struct) + ".LAYOUT";
        }
        return compatible(found).contains(layout)
                ? layoutText(layout, types.place(layout))
                : javaName(struct) + "V" + layout.since().replace('.', '_') + ".LAYOUT";
    }
}
