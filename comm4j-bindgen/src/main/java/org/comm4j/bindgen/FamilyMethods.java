// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.comm4j.bindgen.CTypes.DataPointer;
import org.comm4j.bindgen.CTypes.Handle;
import org.comm4j.bindgen.CTypes.Kind;
import org.comm4j.bindgen.CTypes.Nothing;
import org.comm4j.bindgen.CTypes.Value;
import org.comm4j.bindgen.SymbolTable.Declaration;
import org.comm4j.bindgen.SymbolTable.Family;
import org.comm4j.bindgen.SymbolTable.Function;

/**
 * One method a family, whose first parameter says which of its functions is called. A value of the family's type is the
 * low bits of a long on the Java side: one method serves all types, and nothing is boxed.
 */
final class FamilyMethods {
    private final SymbolTable table;
    private final Target target;
    private final CTypes types;
    private final Shapes shapes;
    /** The members of families, to the constants that have them: few families have members of their own. */
    private final Map<List<String>, String> memberSets = new LinkedHashMap<>();

    FamilyMethods(SymbolTable table, Target target, CTypes types, Shapes shapes) {
        this.table = table;
        this.target = target;
        this.types = types;
        this.shapes = shapes;
        table.families()
                .forEach(family -> memberSets.putIfAbsent(family.members(), "MEMBERS_" + (memberSets.size() + 1)));
    }

    String fields() {
        StringBuilder text = new StringBuilder();
        memberSets.forEach((members, name) -> text.append("private static final String " + name + " = \""
                + String.join(" ", members).replaceAll("(.{60}\\S*) ", "$1 \"\n + \"") + "\";\n"));
        for (Family family : table.families()) {
            Function f = family.function();
            text.append("private static final NativeFamily<" + type(family) + "> " + field(f) + " = LIBRARY.family(\""
                    + f.name() + "\", \"" + f.since() + "\", " + type(family) + ".class, "
                    + memberSets.get(family.members()) + ");\n");
        }
        return text.toString();
    }

    private static String type(Family family) {
        return family.isTyped() ? FamilyClasses.TYPE : FamilyClasses.BITS;
    }

    private static String field(Function f) {
        return f.name().replaceAll("[<>]", "");
    }

    String methods() {
        return table.families().stream().map(this::method).collect(Collectors.joining("\n"));
    }

    private String method(Family family) {
        Function f = family.function();
        String member = family.isTyped() ? "type" : "bits";
        List<String> parameters = new ArrayList<>(List.of(type(family) + " " + member));
        boolean byValue = f.result().equals("T");
        for (Declaration each : f.parameters()) {
            Kind kind = kind(each);
            byValue |= each.type().equals("T");
            parameters.add((each.type().equals("T") ? "long" : JavaNames.ofType(kind)) + " "
                    + JavaNames.ofVariable(each.name()));
        }
        boolean status = target.isStatus(f);
        String result = f.result().equals("T") ? "long" : status ? "void" : JavaNames.ofType(types.kind(f.result()));
        String body;
        if (byValue) {
            body = "MemorySegment function = " + field(f) + ".function(" + member + ").address();\n" + choice(family);
        } else if (status) {
            body = "NativeFunction function = " + field(f) + ".function(" + member + ");\n check(function, "
                    + call(f, "function.address()", "") + ");";
        } else {
            body = (result.equals("void") ? "" : "return ")
                    + call(f, field(f) + ".function(" + member + ").address()", "") + ";";
        }
        return documentation(family) + "public static " + result + " "
                + f.name().replaceAll("<T>_|<N>", "") + "(" + String.join(", ", parameters) + ") {\n" + body + "\n}\n";
    }

    private Kind kind(Declaration each) {
        return target.isData(each) || each.type().matches("(const )?T \\*")
                ? new DataPointer()
                : each.type().equals("T") ? new Value(8, "long") : types.kind(each.type());
    }

    /** A call with values of the type passed as a Java type. */
    private String call(Function f, String address, String carrier) {
        List<String> arguments = new ArrayList<>(List.of(address));
        List<Kind> kinds = new ArrayList<>();
        for (Declaration each : f.parameters()) {
            String name = JavaNames.ofVariable(each.name());
            if (each.type().equals("T")) {
                kinds.add(new Value(8, carrier));
                arguments.add(
                        switch (carrier) {
                            case "long" -> name;
                            case "float" -> "Float.intBitsToFloat((int) " + name + ")";
                            case "double" -> "Double.longBitsToDouble(" + name + ")";
                            default -> "(" + carrier + ") " + name;
                        });
            } else {
                Kind kind = kind(each);
                kinds.add(kind);
                arguments.add(kind instanceof Handle ? name + ".address()" : name);
            }
        }
        Kind result = f.result().equals("T") ? new Value(8, carrier) : types.kind(f.result());
        String call = "Downcalls." + shapes.add(result, kinds) + "(" + String.join(", ", arguments) + ")";
        if (!f.result().equals("T")) {
            return call;
        }
        return switch (carrier) {
            case "float" -> "Float.floatToRawIntBits(" + call + ")";
            case "double" -> "Double.doubleToRawLongBits(" + call + ")";
            default -> call;
        };
    }

    private String choice(Family family) {
        Function f = family.function();
        TreeSet<String> carriers = new TreeSet<>();
        family.members()
                .forEach(word -> carriers.add(
                        FamilyClasses.carrier(table, table.elements().get(word))));
        boolean gives = !(resultKind(f) instanceof Nothing);
        StringBuilder text = new StringBuilder((gives ? "return " : "") + "switch (type.carrier()) {\n");
        for (String carrier : carriers) {
            text.append("case " + carrier.toUpperCase(Locale.ROOT) + " -> " + call(f, "function", carrier) + ";\n");
        }
        if (carriers.size() < 6) {
            text.append("default -> throw new IllegalArgumentException(\"" + f.name() + " of \" + type);\n");
        }
        return text.append(gives ? "};" : "}").toString();
    }

    private Kind resultKind(Function f) {
        return f.result().equals("T") ? new Value(8, "long") : types.kind(f.result());
    }

    private String documentation(Family family) {
        Function f = family.function();
        boolean all = family.members().size() == table.elements().size() || !family.isTyped();
        String members = (family.isTyped() ? "T: " : "N: ")
                + (all ? family.isTyped() ? "all types" : "all sizes" : String.join(", ", family.members()));
        return LibraryClass.documentation(table, target, f, members);
    }
}
