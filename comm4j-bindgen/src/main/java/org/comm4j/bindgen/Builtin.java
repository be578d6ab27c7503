// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.Map;

/** The C types that need no declaration, on 64-bit Linux. */
final class Builtin {
    /** Size in bytes and Java type. */
    record Number(int bytes, String java) {}

    private static final Map<String, Number> NUMBERS = Map.ofEntries(
            Map.entry("bool", new Number(1, "boolean")),
            Map.entry("char", new Number(1, "byte")),
            Map.entry("signed char", new Number(1, "byte")),
            Map.entry("unsigned char", new Number(1, "byte")),
            Map.entry("int8_t", new Number(1, "byte")),
            Map.entry("uint8_t", new Number(1, "byte")),
            Map.entry("short", new Number(2, "short")),
            Map.entry("unsigned short", new Number(2, "short")),
            Map.entry("int16_t", new Number(2, "short")),
            Map.entry("uint16_t", new Number(2, "short")),
            Map.entry("int", new Number(4, "int")),
            Map.entry("unsigned int", new Number(4, "int")),
            Map.entry("int32_t", new Number(4, "int")),
            Map.entry("uint32_t", new Number(4, "int")),
            Map.entry("long", new Number(8, "long")),
            Map.entry("unsigned long", new Number(8, "long")),
            Map.entry("long long", new Number(8, "long")),
            Map.entry("unsigned long long", new Number(8, "long")),
            Map.entry("int64_t", new Number(8, "long")),
            Map.entry("uint64_t", new Number(8, "long")),
            Map.entry("size_t", new Number(8, "long")),
            Map.entry("intptr_t", new Number(8, "long")),
            Map.entry("uintptr_t", new Number(8, "long")),
            Map.entry("float", new Number(4, "float")),
            Map.entry("double", new Number(8, "double")));

    private Builtin() {}

    static boolean isNumber(String type) {
        return NUMBERS.containsKey(type);
    }

    static Number number(String type) {
        Number number = NUMBERS.get(type);
        if (number == null) {
            throw new IllegalArgumentException("no builtin C type: " + type);
        }
        return number;
    }
}
