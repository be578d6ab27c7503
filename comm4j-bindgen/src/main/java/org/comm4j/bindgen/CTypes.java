// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Layout;
import org.comm4j.bindgen.SymbolTable.Struct;

/** What the C types of a symbol table are: how they are passed, and where the fields of structs lie. */
final class CTypes {
    /** How Java sees a type. */
    sealed interface Kind {}

    record Nothing() implements Kind {}

    /** A number or enum; {@code java} is a primitive type. */
    record Value(int bytes, String java) implements Kind {}

    /** A pointer to data on host or device, passed as a number. */
    record DataPointer() implements Kind {}

    /** A pointer into memory that Java fills or reads. */
    record Pointer() implements Kind {}

    record Handle(String name) implements Kind {}

    record Aggregate(String name) implements Kind {}

    private final SymbolTable table;
    private final Set<String> handles = new LinkedHashSet<>();
    private final Set<String> enums = new LinkedHashSet<>();
    private final Map<String, Struct> structs = new LinkedHashMap<>();

    CTypes(SymbolTable table) {
        this.table = table;
        table.handles().forEach(handle -> handles.add(handle.name()));
        table.enums().forEach(each -> enums.add(each.name()));
        table.structs().forEach(struct -> structs.put(struct.name(), struct));
    }

    Kind kind(String written) {
        String type = written.startsWith("const ") && !written.contains("*") ? written.substring(6) : written;
        if (type.equals("void")) {
            return new Nothing();
        }
        if (type.equals("void *") || type.equals("const void *")) {
            return new DataPointer();
        }
        if (type.contains("*") || table.callbacks().containsKey(type)) {
            return new Pointer();
        }
        if (handles.contains(type)) {
            return new Handle(type);
        }
        if (enums.contains(type)) {
            return new Value(4, "int");
        }
        if (structs.containsKey(type)) {
            return new Aggregate(type);
        }
        Builtin.Primitive primitive = Builtin.primitive(table.aliases().getOrDefault(type, type));
        return new Value(primitive.bytes(), primitive.java());
    }

    /**
     * A named place in a struct. The fields of a nested nameless struct stand for themselves.
     *
     * @param path in C, {@code outer.inner}
     */
    record Field(String path, String type, long offset, long bytes) {
        /** As a Java name, {@code outer_inner}. */
        String name() {
            return path.replace('.', '_');
        }
    }

    /** A struct with its fields placed. */
    record Placed(long bytes, long alignment, List<Field> fields) {}

    /** The places of a layout's fields, nested structs being those of the same version. */
    Placed place(Layout layout) {
        return place(layout.fields(), layout.union(), layout.since());
    }

    private Placed place(List<Declaration> declarations, boolean union, String version) {
        List<Field> fields = new ArrayList<>();
        long end = 0;
        long alignment = 1;
        for (Declaration each : declarations) {
            int count = count(each.type());
            String element = element(each.type());
            Placed inner = inner(element, version);
            long offset = union ? 0 : align(end, inner.alignment());
            boolean nameless = each.name().equals("-");
            if (!nameless) {
                fields.add(new Field(each.name(), each.type(), offset, inner.bytes() * count));
            }
            if (element.contains("{") && count == 1) {
                for (Field field : inner.fields()) {
                    String path = nameless ? field.path() : each.name() + "." + field.path();
                    fields.add(new Field(path, field.type(), offset + field.offset(), field.bytes()));
                }
            }
            end = Math.max(end, offset + inner.bytes() * count);
            alignment = Math.max(alignment, inner.alignment());
        }
        return new Placed(align(end, alignment), alignment, fields);
    }

    private static long align(long offset, long alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    /** Number of elements of {@code int[3]}; 1 for what is no array. */
    static int count(String type) {
        int count = 1;
        String rest = type.substring(type.lastIndexOf('}') + 1);
        for (int open = rest.indexOf('['); open >= 0; open = rest.indexOf('[', open + 1)) {
            count *= Integer.parseInt(rest.substring(open + 1, rest.indexOf(']', open)));
        }
        return count;
    }

    static String element(String type) {
        int brace = type.lastIndexOf('}') + 1;
        int open = type.indexOf('[', brace);
        return open < 0 ? type : type.substring(0, open);
    }

    private Placed inner(String type, String version) {
        if (type.contains("{")) {
            return place(parts(type), type.startsWith("union"), version);
        }
        if (kind(type) instanceof Aggregate aggregate) {
            return place(layoutOf(aggregate.name(), version));
        }
        long bytes = kind(type) instanceof Value value ? value.bytes() : 8;
        return new Placed(bytes, bytes, List.of());
    }

    /** A struct's layout in a version: the last that is not newer. */
    Layout layoutOf(String struct, String version) {
        List<Layout> layouts = structs.get(struct).layouts();
        int at = table.versions().indexOf(version);
        return layouts.stream()
                .filter(layout -> table.versions().indexOf(layout.since()) <= at)
                .reduce((a, b) -> b)
                .orElse(layouts.getFirst());
    }

    /** The fields of a nameless struct, {@code struct { int a; int b; }}. */
    static List<Declaration> parts(String type) {
        String body = type.substring(type.indexOf('{') + 1, type.lastIndexOf('}'));
        List<Declaration> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ';' && depth == 0) {
                String part = body.substring(start, i).strip();
                int space = part.lastIndexOf(' ');
                parts.add(new Declaration(part.substring(0, space), part.substring(space + 1)));
                start = i + 1;
            }
        }
        return parts;
    }
}
