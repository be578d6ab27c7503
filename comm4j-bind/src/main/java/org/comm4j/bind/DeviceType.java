// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A C++ type as far as it can cross from Java to device code. */
sealed interface DeviceType {
    record Nothing() implements DeviceType {}

    /** A number or truth value; {@code cpp} is one of C++'s own names. */
    record Numeric(String cpp, int bytes, String java) implements DeviceType {
        /** What is passed to a wrapper: no narrow types, on which compilers' conventions differ. */
        String carrier() {
            return java.equals("float") || java.equals("double") || java.equals("long") ? java : "int";
        }

        boolean isUnsigned() {
            return cpp.startsWith("unsigned");
        }
    }

    record Enumerated(DeviceHeader.Enumeration of) implements DeviceType {}

    record Structure(Struct of) implements DeviceType {}

    /**
     * A pointer, or a reference.
     *
     * @param cpp the target in C++, with its {@code const}
     * @param temporary whether it is one to a temporary value, {@code T&&}
     */
    record Reference(DeviceType target, String cpp, boolean constant, boolean pointer, boolean temporary)
            implements DeviceType {}

    /**
     * One that cannot.
     *
     * @param reason why Java cannot have it
     */
    record Impossible(String reason) implements DeviceType {}

    /** A field; nested structs and arrays keep their shape. */
    record Field(String name, DeviceType type, List<Integer> dimensions, long offset, String comment) {
        int count() {
            return dimensions.stream().reduce(1, (a, b) -> a * b);
        }
    }

    /**
     * The layout of a struct, as the compiler has it.
     *
     * @param opaque why it has no fields in Java, or empty
     * @param copyable whether it may be copied byte by byte
     */
    record Struct(
            DeviceHeader.Aggregate aggregate,
            long bytes,
            long alignment,
            boolean copyable,
            List<Field> fields,
            String opaque) {
        String cpp() {
            return aggregate.name();
        }

        boolean isOpaque() {
            return !opaque.isEmpty();
        }
    }

    /** A number at an offset. */
    record Leaf(long offset, Numeric number) {}

    Map<String, Numeric> NUMBERS = Map.ofEntries(
            Map.entry("bool", new Numeric("bool", 1, "boolean")),
            Map.entry("char", new Numeric("char", 1, "byte")),
            Map.entry("signed char", new Numeric("signed char", 1, "byte")),
            Map.entry("unsigned char", new Numeric("unsigned char", 1, "byte")),
            Map.entry("short", new Numeric("short", 2, "short")),
            Map.entry("unsigned short", new Numeric("unsigned short", 2, "short")),
            Map.entry("int", new Numeric("int", 4, "int")),
            Map.entry("unsigned int", new Numeric("unsigned int", 4, "int")),
            Map.entry("long", new Numeric("long", 8, "long")),
            Map.entry("unsigned long", new Numeric("unsigned long", 8, "long")),
            Map.entry("long long", new Numeric("long long", 8, "long")),
            Map.entry("unsigned long long", new Numeric("unsigned long long", 8, "long")),
            Map.entry("float", new Numeric("float", 4, "float")),
            Map.entry("double", new Numeric("double", 8, "double")),
            Map.entry("char16_t", new Numeric("char16_t", 2, "short")),
            Map.entry("char32_t", new Numeric("char32_t", 4, "int")),
            Map.entry("wchar_t", new Numeric("wchar_t", 4, "int")));

    /** Returns a number type by its name in C++, which has to be one of {@link #NUMBERS}. */
    static Numeric number(String cpp) {
        return Objects.requireNonNull(NUMBERS.get(cpp), cpp);
    }

    /** Those that Java has under the same name. */
    Set<String> DIRECT = Set.of("int", "long", "float", "double");

    /** A struct of more numbers than this is only pointed to. */
    int MOST_LEAVES = 32;

    /** Returns the numbers of a struct, in the order of its fields. */
    static List<Leaf> leaves(Struct struct) {
        List<Leaf> leaves = new ArrayList<>();
        for (Field field : struct.fields()) {
            for (int i = 0; i < field.count() && leaves.size() <= MOST_LEAVES; i++) {
                long offset = field.offset() + i * size(field.type());
                leaves(field.type()).forEach(leaf -> leaves.add(new Leaf(offset + leaf.offset(), leaf.number())));
            }
        }
        return leaves;
    }

    /** Returns the numbers of a type, in the order of its fields if it is a struct. */
    static List<Leaf> leaves(DeviceType type) {
        return switch (type) {
            case Numeric number -> List.of(new Leaf(0, number));
            case Enumerated enumerated -> List.of(new Leaf(0, underlying(enumerated)));
            case Reference _ -> List.of(new Leaf(0, number("unsigned long long")));
            case Structure structure -> leaves(structure.of());
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no number: " + type);
        };
    }

    /** Returns the size in bytes. */
    static long size(DeviceType type) {
        return switch (type) {
            case Numeric number -> number.bytes();
            case Enumerated enumerated -> underlying(enumerated).bytes();
            case Reference _ -> 8;
            case Structure structure -> structure.of().bytes();
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no size: " + type);
        };
    }

    /** Returns the number that an enum is. */
    static Numeric underlying(Enumerated enumerated) {
        return number(
                NUMBERS.containsKey(enumerated.of().underlying())
                        ? enumerated.of().underlying()
                        : "unsigned int");
    }
}
