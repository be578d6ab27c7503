// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.comm4j.kernel.ir.Type;

/** How LLVM spells types and constants. Pointers are to bytes; who reads or writes says to what. */
final class Llvm {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Llvm() {}

    /** The type of a value. */
    static String type(Type type) {
        return type == Type.Scalar.I1 ? "i1" : memory(type);
    }

    /** The type of what is in memory, also inside of structs that are values: there, too, an {@code I1} is a byte. */
    static String memory(Type type) {
        return switch (type) {
            case Type.Scalar scalar ->
                switch (scalar) {
                    case VOID -> "void";
                    case I1, I8 -> "i8";
                    case I16 -> "i16";
                    case I32 -> "i32";
                    case I64 -> "i64";
                    case F32 -> "float";
                    case F64 -> "double";
                };
            case Type.Pointer pointer -> "i8" + space(pointer.space()) + "*";
            case Type.Struct struct ->
                struct.fields().stream().map(Llvm::memory).collect(Collectors.joining(", ", "{ ", " }"));
            case Type.Array array -> "[" + array.count() + " x " + memory(array.element()) + "]";
        };
    }

    /** A pointer's address space, with a blank before it; empty for generic pointers. */
    static String space(Type.Space space) {
        return switch (space) {
            case GENERIC -> "";
            case GLOBAL -> " addrspace(1)";
            case SHARED -> " addrspace(3)";
            case CONSTANT -> " addrspace(4)";
            case LOCAL -> " addrspace(5)";
        };
    }

    /** Both sizes are written by their bits, as those of a double. */
    static String real(double value) {
        return "0x" + HEX.toHexDigits(Double.doubleToRawLongBits(value));
    }

    /** The inside of a quoted string. */
    static String escape(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) {
            if (one < ' ' || one > '~' || one == '"' || one == '\\') {
                text.append('\\').append(HEX.toHexDigits(one));
            } else {
                text.append((char) one);
            }
        }
        return text.toString();
    }

    static String escape(String text) {
        return escape(text.getBytes(StandardCharsets.UTF_8));
    }
}
