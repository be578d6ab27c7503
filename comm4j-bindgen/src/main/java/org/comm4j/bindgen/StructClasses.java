// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.comm4j.bindgen.CTypes.Aggregate;
import org.comm4j.bindgen.CTypes.DataPointer;
import org.comm4j.bindgen.CTypes.Field;
import org.comm4j.bindgen.CTypes.Handle;
import org.comm4j.bindgen.CTypes.Nothing;
import org.comm4j.bindgen.CTypes.Placed;
import org.comm4j.bindgen.CTypes.Pointer;
import org.comm4j.bindgen.CTypes.Value;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;

/** The classes of structs: size, offsets of the fields, layout. */
final class StructClasses {
    private final SymbolTable table;
    private final Target target;
    private final CTypes types;

    StructClasses(SymbolTable table, Target target) {
        this.table = table;
        this.target = target;
        this.types = new CTypes(table);
    }

    /** A class for the newest layout and those that it only adds to, and one for each that it breaks with. */
    Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        for (Struct struct : table.structs()) {
            List<Layout> compatible = compatible(struct);
            String newest = JavaNames.ofClass(struct.name());
            files.put(newest + ".java", file(struct, struct.newest(), compatible, newest));
            for (Layout layout : struct.layouts()) {
                if (!compatible.contains(layout)) {
                    String name = JavaNames.ofClass(struct.name(), layout.since());
                    files.put(name + ".java", file(struct, layout, List.of(layout), name));
                }
            }
        }
        return files;
    }

    /** The layouts that the newest one only adds fields to: one class serves them all. */
    private List<Layout> compatible(Struct struct) {
        List<Field> newest = types.place(struct.newest()).fields();
        return struct.layouts().stream()
                .filter(layout -> newest.containsAll(types.place(layout).fields()))
                .toList();
    }

    private String file(Struct struct, Layout layout, List<Layout> compatible, String name) {
        Placed placed = types.place(layout);
        StringBuilder fields = new StringBuilder();
        for (Field field : placed.fields()) {
            fields.append(Template.fill(
                    """
                    /** {@code ${declaration}} */
                    public static final long ${name} = ${offset};

                    """,
                    Map.of(
                            "declaration", JavaNames.asWritten(field.type() + " " + field.name()),
                            "name", JavaNames.ofVariable(field.name()),
                            "offset", "" + field.offset())));
        }
        return Template.fill(
                """
                ${licence}package ${package};

                import java.lang.foreign.MemoryLayout;
                import java.lang.foreign.StructLayout;
                import java.lang.foreign.UnionLayout;
                import java.lang.foreign.ValueLayout;

                /** {@code ${struct}}${versions}: its size, the offsets of its fields in bytes, its layout. */
                @SuppressWarnings("MemberName") // names are C's
                public final class ${class} {
                    /** Size in bytes. */
                    public static final long BYTES = ${bytes};

                    ${fields}

                    /** As the linker needs it. */
                    public static final ${type} LAYOUT = ${layout};

                    private ${class}() {}

                    ${sizes}
                }
                """,
                Map.ofEntries(
                        Map.entry("licence", JavaNames.LICENCE),
                        Map.entry("package", target.packageName()),
                        Map.entry("struct", struct.name()),
                        Map.entry("versions", struct.layouts().size() < 2 ? "" : " of " + versions(struct, layout)),
                        Map.entry("class", name),
                        Map.entry("bytes", "" + placed.bytes()),
                        Map.entry("fields", fields.toString()),
                        Map.entry("type", layout.union() ? "UnionLayout" : "StructLayout"),
                        Map.entry("layout", layoutText(layout, placed)),
                        Map.entry("sizes", compatible.size() < 2 ? "" : sizes(struct, compatible))));
    }

    /** The headers that have a layout. */
    private String versions(Struct struct, Layout layout) {
        List<String> all = table.versions();
        int next = struct.layouts().indexOf(layout) + 1;
        String last = next == struct.layouts().size()
                ? all.getLast()
                : all.get(all.indexOf(struct.layouts().get(next).since()) - 1);
        return table.library() + " " + layout.since() + (last.equals(layout.since()) ? "" : " to " + last);
    }

    private String sizes(Struct struct, List<Layout> compatible) {
        StringBuilder cases = new StringBuilder();
        for (Layout layout : compatible.reversed()) {
            cases.append("if (version >= ").append(code(layout.since())).append(") {\n");
            cases.append("return ").append(types.place(layout).bytes()).append(";\n}\n");
        }
        return Template.fill(
                """
                /**
                 * Size of the struct in a version of the library: newer ones add fields at the end. For a version between two whose
                 * headers are known it is the size in the older of these.
                 *
                 * @param version as the library gives it (23203 for 2.32.3)
                 * @throws IllegalArgumentException if the version is older than the first with such a layout
                 */
                public static long bytes(int version) {
                    ${cases}
                    throw new IllegalArgumentException("${struct} has this layout from ${first} on, not in " + version);
                }
                """,
                Map.of(
                        "cases", cases.toString(),
                        "struct", struct.name(),
                        "first", table.library() + " " + compatible.getFirst().since()));
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
                case Value value -> "ValueLayout.JAVA_" + value.java().toUpperCase(Locale.ROOT);
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
            return JavaNames.ofClass(struct) + ".LAYOUT";
        }
        return compatible(found).contains(layout)
                ? layoutText(layout, types.place(layout))
                : JavaNames.ofClass(struct, layout.since()) + ".LAYOUT";
    }
}
