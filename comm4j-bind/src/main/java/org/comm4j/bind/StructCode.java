// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bind.DeviceHeader.Enumeration;
import org.comm4j.bind.DeviceHeader.Enumerator;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Field;
import org.comm4j.bind.DeviceType.Leaf;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;

/** Java types of a header: enums, records and pointers. */
final class StructCode {
    private final DeviceNames names;
    private final JavaText text;
    private final ValueCode values;

    StructCode(DeviceNames names, JavaText text, ValueCode values) {
        this.names = names;
        this.text = text;
        this.values = values;
    }

    /** Adds an enum, or its numbers where it has gaps. */
    void enumeration(Enumeration enumeration) {
        String java = names.enumeration(enumeration);
        text.documentation(Comment.of(enumeration.node()), List.of(JavaText.quoted(enumeration.name())));
        if (DeviceNames.isDense(enumeration)) {
            text.line("public enum " + java + " {");
            text.line(enumeration.enumerators().stream()
                    .map(each -> names.variable(each.name()))
                    .collect(Collectors.joining(",\n")));
            text.line("}\n");
            return;
        }
        Numeric number = DeviceType.underlying(new Enumerated(enumeration));
        text.line("public static final class " + java + " {");
        for (Enumerator each : enumeration.enumerators()) {
            String value = switch (number.java()) {
                case "long" -> each.value() + "L";
                case "int" -> String.valueOf((int) each.value());
                case "boolean" -> String.valueOf(each.value() != 0);
                default -> "(" + number.java() + ") " + each.value();
            };
            text.line("public static final " + number.java() + " " + names.variable(each.name()) + " = " + value + ";");
        }
        text.line("\nprivate " + java + "() {}");
        text.line("}\n");
    }

    /** Adds the record of a struct. */
    void record(Struct struct) {
        List<ValueCode.Component> components = values.components(struct);
        text.documentation(
                Comment.of(struct.aggregate().node()),
                Stream.concat(
                                Stream.of(JavaText.quoted(struct.cpp()) + ", by value.\n"),
                                components.stream()
                                        .filter(component ->
                                                !component.comment().isEmpty())
                                        .map(component -> "@param " + component.name() + " "
                                                + JavaText.code(component.comment())))
                        .toList());
        text.line("public record " + names.record(struct) + "("
                + components.stream()
                        .map(each -> each.java() + " " + each.name())
                        .collect(Collectors.joining(", ")) + ") {}\n");
    }

    /** Adds the pointer to a struct. */
    void pointer(Struct struct) {
        String java = names.pointer(struct);
        String known = struct.isOpaque() ? "" : names.record(struct);
        text.line("/**\n * Points to " + JavaText.quoted(struct.cpp()) + ", " + struct.bytes()
                + " bytes each, aligned to "
                + struct.alignment() + "." + (struct.isOpaque() ? " What is in it is the functions' own." : "")
                + "\n */");
        text.line("public record " + java + "(I8Ptr at) {");
        text.line("public static final long BYTES = " + struct.bytes() + ";");
        text.line("public static final long ALIGNMENT = " + struct.alignment() + ";\n");
        text.line("/** {@code n} elements on. */");
        text.line("public " + java + " plus(long n) {\nreturn new " + java + "(at.plus(n * BYTES));\n}\n");
        if (!known.isEmpty()) {
            List<String> reads = new ArrayList<>();
            List<String> writes = new ArrayList<>();
            List<Leaf> leaves = DeviceType.leaves(struct);
            for (Leaf leaf : leaves) {
                reads.add(ValueCode.read(leaf));
            }
            Iterator<String> next = reads.iterator();
            String made = values.make(new Structure(struct), next);
            List<String> numbers = values.take(new Structure(struct), "value", false);
            for (int i = 0; i < leaves.size(); i++) {
                writes.add(ValueCode.write(leaves.get(i), numbers.get(i)));
            }
            text.line("public " + known + " get() {\nreturn " + made + ";\n}\n");
            text.line("public void set(" + known + " value) {\n" + String.join("\n", writes) + "\n}\n");
            for (Field field : struct.fields()) {
                text.line("/** The place of " + JavaText.quoted(field.name()) + ". */");
                String target = names.pointerTo(field.type());
                boolean wrapped = !DeviceBinding.isPlainPointer(field.type());
                String place = "at.plus(" + field.offset() + ")";
                text.line("public " + target + " " + place(field.name()) + "() {\nreturn "
                        + (wrapped ? "new " + target + "(" + place + ")" : place + ValueCode.cast(target)) + ";\n}\n");
            }
        }
        text.line("}\n");
    }

    /** Returns the name of a field's place: some names pointers have for themselves. */
    private String place(String field) {
        return Set.of("at", "get", "set", "plus").contains(field) ? field + "_" : names.variable(field);
    }
}
