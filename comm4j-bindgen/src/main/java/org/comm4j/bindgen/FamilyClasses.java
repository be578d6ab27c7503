// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.comm4j.bindgen.SymbolTable.Family;

/** The enums by which a library's families choose their functions: C types, and numbers of bits. */
final class FamilyClasses {
    /** The enum of the types. */
    static final String TYPE = "NvshmemType";

    /** The enum of the numbers of bits. */
    static final String BITS = "NvshmemBits";

    private final SymbolTable table;
    private final Target target;

    FamilyClasses(SymbolTable table, Target target) {
        this.table = table;
        this.target = target;
    }

    Map<String, String> files() {
        return table.families().isEmpty()
                ? Map.of()
                : new TreeMap<>(Map.of(TYPE + ".java", types(), BITS + ".java", bits()));
    }

    /** The Java type that has the bits of an element; what is no number in C has 16 bits. */
    static String carrier(SymbolTable table, String type) {
        String builtin = table.aliases().getOrDefault(type, type);
        return Builtin.isPrimitive(builtin) ? Builtin.primitive(builtin).java() : "short";
    }

    private String types() {
        String constants = table.elements().entrySet().stream()
                .map(each -> "/** {@code " + each.getValue() + "} */\n"
                        + each.getKey().toUpperCase(Locale.ROOT) + "(\"" + each.getKey() + "\", Carrier."
                        + carrier(table, each.getValue()).toUpperCase(Locale.ROOT) + ")")
                .collect(Collectors.joining(",\n"));
        return Template.fill(
                """
                ${licence}package ${package};

                import org.comm4j.ffi.NativeFamily;

                /** The C types of the typed functions of ${library}, by the words in the functions' names; generated. */
                public enum ${class} implements NativeFamily.Member {
                    ${constants};

                    /** The Java type that has a value's bits. */
                    public enum Carrier {
                        BYTE, SHORT, INT, LONG, FLOAT, DOUBLE
                    }

                    private final String word;
                    private final Carrier carrier;

                    ${class}(String word, Carrier carrier) {
                        this.word = word;
                        this.carrier = carrier;
                    }

                    @Override
                    public String word() {
                        return word;
                    }

                    /** How a value is passed. */
                    public Carrier carrier() {
                        return carrier;
                    }
                }
                """,
                Map.of(
                        "licence",
                        JavaNames.LICENCE,
                        "package",
                        target.packageName(),
                        "library",
                        table.library(),
                        "class",
                        TYPE,
                        "constants",
                        constants));
    }

    private String bits() {
        List<String> sizes = table.families().stream()
                .filter(family -> !family.isTyped())
                .map(Family::members)
                .findFirst()
                .orElseThrow();
        return Template.fill(
                """
                ${licence}package ${package};

                import org.comm4j.ffi.NativeFamily;

                /** The sizes of elements, in bits, in the names of functions of ${library} that move such without a type; generated. */
                public enum ${class} implements NativeFamily.Member {
                    ${constants};

                    private final String word;

                    ${class}(String word) {
                        this.word = word;
                    }

                    @Override
                    public String word() {
                        return word;
                    }
                }
                """,
                Map.of(
                        "licence", JavaNames.LICENCE,
                        "package", target.packageName(),
                        "library", table.library(),
                        "class", BITS,
                        "constants",
                                sizes.stream()
                                        .map(size -> "BITS_" + size + "(\"" + size + "\")")
                                        .collect(Collectors.joining(",\n"))));
    }
}
