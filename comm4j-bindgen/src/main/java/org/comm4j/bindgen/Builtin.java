// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.util.Map;

/** The C types that need no declaration, on 64-bit Linux. */
final class Builtin {
    /** Size in bytes and Java type. */
    record Primitive(int bytes, String java) {}

    private static final Map<String, Primitive> PRIMITIVES = Map.ofEntries(
            Map.entry("bool", new Primitive(1, "boolean")),
            Map.entry("char", new Primitive(1, "byte")),
            Map.entry("signed char", new Primitive(1, "byte")),
            Map.entry("unsigned char", new Primitive(1, "byte")),
            Map.entry("int8_t", new Primitive(1, "byte")),
            Map.entry("uint8_t", new Primitive(1, "byte")),
            Map.entry("short", new Primitive(2, "short")),
            Map.entry("unsigned short", new Primitive(2, "short")),
            Map.entry("int16_t", new Primitive(2, "short")),
            Map.entry("uint16_t", new Primitive(2, "short")),
            Map.entry("int", new Primitive(4, "int")),
            Map.entry("unsigned int", new Primitive(4, "int")),
            Map.entry("int32_t", new Primitive(4, "int")),
            Map.entry("uint32_t", new Primitive(4, "int")),
            Map.entry("long", new Primitive(8, "long")),
            Map.entry("unsigned long", new Primitive(8, "long")),
            Map.entry("long long", new Primitive(8, "long")),
            Map.entry("unsigned long long", new Primitive(8, "long")),
            Map.entry("int64_t", new Primitive(8, "long")),
            Map.entry("uint64_t", new Primitive(8, "long")),
            Map.entry("size_t", new Primitive(8, "long")),
            Map.entry("intptr_t", new Primitive(8, "long")),
            Map.entry("uintptr_t", new Primitive(8, "long")),
            Map.entry("float", new Primitive(4, "float")),
            Map.entry("double", new Primitive(8, "double")));

    private Builtin() {}

    static boolean isPrimitive(String type) {
        return PRIMITIVES.containsKey(type);
    }

    static Primitive primitive(String type) {
        Primitive primitive = PRIMITIVES.get(type);
        if (primitive == null) {
            throw new IllegalArgumentException("no builtin C type: " + type);
        }
        return primitive;
    }
}
