// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a C library offers, as far as it is bound: read from the headers of one or several versions, oldest first, and
 * kept in the repository as text ({@link TableText}).
 *
 * @param library name as people write it ("NCCL")
 * @param versions of the headers, oldest first
 * @param aliases name of a C type to the builtin type that it stands for
 * @param elements the word for a C type in the names of typed functions, to the type
 */
record SymbolTable(
        String library,
        List<String> versions,
        List<Handle> handles,
        Map<String, String> aliases,
        Map<String, String> callbacks,
        List<Enumeration> enums,
        List<Constant> constants,
        List<Struct> structs,
        List<Function> functions,
        Map<String, String> elements,
        List<Family> families) {

    SymbolTable(String library, List<String> versions) {
        this(
                library,
                List.copyOf(versions),
                new ArrayList<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new LinkedHashMap<>(),
                new ArrayList<>());
    }

    /** A pointer to something that only the library looks into. */
    record Handle(String name) {}

    record Enumeration(String name, List<Constant> constants) {}

    /**
     * An enumerator or a macro.
     *
     * @param since first version, empty if the oldest known one has it
     */
    record Constant(String name, long value, String since) {}

    record Struct(String name, List<Layout> layouts) {
        Layout newest() {
            return layouts.getLast();
        }
    }

    /**
     * The fields of a struct from one version on.
     *
     * @param union all fields at the beginning
     */
    record Layout(String since, boolean union, List<Declaration> fields) {}

    /** A field or parameter; the C type is written as one reads it, an array as {@code int[3]}. */
    record Declaration(String type, String name) {}

    /**
     * A function.
     *
     * @param symbols names in the library, the preferred one first; the others take the same arguments
     * @param since first version, empty if all known ones have it
     * @param documentation the header's comment, if its licence allows to copy it
     */
    record Function(
            String name,
            List<String> symbols,
            String since,
            String result,
            List<Declaration> parameters,
            String documentation) {}

    /**
     * Functions that differ in a C type only, or in a number of bits.
     *
     * @param function with {@code <T>} in its name for the word of the type and {@code T} in its types for the type, or
     *     {@code <N>} in its name for the number
     * @param members what stands in for these
     */
    record Family(Function function, List<String> members) {
        /** Whether its functions differ in the type of the elements. */
        boolean isTyped() {
            return function.name().contains(TYPE);
        }

        /** The names in C. */
        List<String> names() {
            return members.stream()
                    .map(member -> function.name().replace(TYPE, member).replace(NUMBER, member))
                    .toList();
        }
    }

    /** Where a family's names have the word for a type. */
    static final String TYPE = "<T>";

    /** Where a family's names have a number of bits. */
    static final String NUMBER = "<N>";
}
