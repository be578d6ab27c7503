// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.bind.DeviceType.Enumerated;
import org.comm4j.bind.DeviceType.Field;
import org.comm4j.bind.DeviceType.Impossible;
import org.comm4j.bind.DeviceType.Leaf;
import org.comm4j.bind.DeviceType.Nothing;
import org.comm4j.bind.DeviceType.Numeric;
import org.comm4j.bind.DeviceType.Reference;
import org.comm4j.bind.DeviceType.Struct;
import org.comm4j.bind.DeviceType.Structure;

/** Java expressions between values and the numbers they are made of, which alone pass between Java and device code. */
final class ValueCode {
    private final DeviceNames names;

    ValueCode(DeviceNames names) {
        this.names = names;
    }

    /** A component of a record. An array is as many. */
    record Component(String java, String name, DeviceType type, String comment) {}

    /** Returns the components of the record of a struct, each array as many. */
    List<Component> components(Struct struct) {
        List<Component> components = new ArrayList<>();
        for (Field field : struct.fields()) {
            boolean array = !field.dimensions().isEmpty();
            for (int i = 0; i < field.count(); i++) {
                String name = names.variable(field.name());
                String index = (Character.isDigit(name.charAt(name.length() - 1)) ? "_" : "") + i;
                components.add(new Component(
                        componentType(field.type()), array ? name + index : name, field.type(), field.comment()));
            }
        }
        return components;
    }

    /** Returns the type of a component: in structs, enums are their numbers and pointers are addresses. */
    String componentType(DeviceType type) {
        return switch (type) {
            case Structure structure -> names.record(structure.of());
            case Enumerated enumerated -> DeviceType.underlying(enumerated).java();
            case Reference _ -> "long";
            default -> DeviceBinding.valueType(names, type);
        };
    }

    /** Returns the call that makes a pointer of bytes one of this kind. */
    static String cast(String pointer) {
        return pointer.equals("I8Ptr") ? "" : ".as" + pointer.substring(0, pointer.length() - 3) + "()";
    }

    /** Returns the statement that writes a number to its place. */
    static String write(Leaf leaf, String value) {
        String pointer = "at.plus(" + leaf.offset() + ")" + cast(DeviceNames.pointerTo(leaf.number()));
        String java = leaf.number().java();
        return pointer + ".set(0, " + (java.equals("boolean") ? "(byte) (" + value + ")" : value) + ");";
    }

    /** Returns the read of a number at its place. */
    static String read(Leaf leaf) {
        String at = "at.plus(" + leaf.offset() + ")" + cast(DeviceNames.pointerTo(leaf.number())) + ".get(0)";
        return leaf.number().java().equals("boolean") ? "(int) " + at : at;
    }

    /** Returns a carrier from the bits of a {@code long}. */
    static String fromBits(Numeric number, String bits) {
        return switch (number.carrier()) {
            case "int" -> "(int) " + bits;
            case "float" -> "Float.intBitsToFloat((int) " + bits + ")";
            case "double" -> "Double.longBitsToDouble(" + bits + ")";
            default -> bits;
        };
    }

    /** Returns the bits of a carrier. */
    static String toBits(Numeric number, String value) {
        return switch (number.carrier()) {
            case "float" -> "Float.floatToRawIntBits(" + value + ")";
            case "double" -> "Double.doubleToRawLongBits(" + value + ")";
            default -> value;
        };
    }

    /** Returns the Java value of its numbers, each a carrier. */
    String make(DeviceType type, Iterator<String> parts) {
        return switch (type) {
            case Numeric number -> narrowed(number, parts.next());
            case Enumerated enumerated -> narrowed(DeviceType.underlying(enumerated), parts.next());
            case Reference _ -> parts.next();
            case Structure structure ->
                "new " + names.record(structure.of()) + "("
                        + components(structure.of()).stream()
                                .map(component -> make(component.type(), parts))
                                .collect(Collectors.joining(", "))
                        + ")";
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no value: " + type);
        };
    }

    private static String narrowed(Numeric number, String value) {
        return switch (number.java()) {
            case "boolean" -> value + " != 0";
            case "byte", "short" ->
                value.startsWith("(int) ")
                        ? "(" + number.java() + ") " + value.substring(6)
                        : "(" + number.java() + ") " + value;
            default -> value;
        };
    }

    /**
     * Returns the numbers of a Java value, each as its carrier.
     *
     * @param top whether it is a parameter, where dense enums are themselves
     */
    List<String> take(DeviceType type, String value, boolean top) {
        return switch (type) {
            case Numeric number -> List.of(number.java().equals("boolean") ? value + " ? 1 : 0" : value);
            case Enumerated enumerated ->
                top && DeviceNames.isDense(enumerated.of())
                        ? List.of(value)
                        : take(DeviceType.underlying(enumerated), value, false);
            case Reference _ -> List.of(value);
            case Structure structure ->
                components(structure.of()).stream()
                        .flatMap(component ->
                                take(component.type(), value + "." + component.name() + "()", false).stream())
                        .toList();
            case Nothing(), Impossible _ -> throw new IllegalArgumentException("no value: " + type);
        };
    }
}
