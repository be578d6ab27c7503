// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * A struct of different numbers that memory gives or takes at once, as a vector of words that its fields are parts of.
 *
 * @param bytes of a word
 * @param count how many words there are
 */
record Words(int bytes, int count, List<Part> parts) {
    /**
     * A number in the struct.
     *
     * @param path where it is in the struct: {@code 1, 0}
     * @param offset in bytes
     */
    record Part(Scalar type, String path, long offset) {}

    private static final long MOST_BYTES = 16;

    /** Null for what is read and written by its parts. */
    static @Nullable Words of(Type type, long alignment) {
        if (!(type instanceof Type.Struct struct)
                || alignment < type.bytes()
                || type.bytes() != MOST_BYTES && type.bytes() != MOST_BYTES / 2) {
            return null;
        }
        List<Part> parts = new ArrayList<>();
        if (!flatten(struct, "", 0, parts) || parts.size() < 2) {
            return null;
        }
        int bytes = parts.stream().anyMatch(part -> part.type().bytes() == Long.BYTES) ? Long.BYTES : Integer.BYTES;
        return new Words(bytes, (int) type.bytes() / bytes, List.copyOf(parts));
    }

    /** Returns false if there is something else than numbers. */
    private static boolean flatten(Type.Struct struct, String path, long offset, List<Part> parts) {
        for (int i = 0; i < struct.fields().size(); i++) {
            String inner = path.isEmpty() ? "" + i : path + ", " + i;
            long at = offset + struct.offset(i);
            switch (struct.fields().get(i)) {
                case Scalar scalar -> parts.add(new Part(scalar, inner, at));
                case Type.Struct nested when flatten(nested, inner, at, parts) -> {}
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private String word() {
        return "i" + 8 * bytes;
    }

    /** The vector of the words. */
    String memory() {
        return "<" + count + " x " + word() + ">";
    }

    private int shift(Part part) {
        return (int) (8 * (part.offset() % bytes));
    }

    private static String bits(Part part) {
        return "i" + 8 * part.type().bytes();
    }

    /**
     * Makes the struct of its words.
     *
     * @param whole the vector
     * @param struct the struct's type
     * @param temporary defines a value and gives its name
     * @return what defines the struct
     */
    String unpack(String whole, String struct, UnaryOperator<String> temporary) {
        String made = "undef";
        for (int i = 0; ; i++) {
            Part part = parts.get(i);
            String value =
                    temporary.apply("extractelement " + memory() + " " + whole + ", i32 " + part.offset() / bytes);
            if (shift(part) > 0) {
                value = temporary.apply("lshr " + word() + " " + value + ", " + shift(part));
            }
            if (part.type().bytes() < bytes) {
                value = temporary.apply("trunc " + word() + " " + value + " to " + bits(part));
            }
            if (part.type().isFloat()) {
                value = temporary.apply("bitcast " + bits(part) + " " + value + " to " + Llvm.memory(part.type()));
            }
            String insert = "insertvalue " + struct + " " + made + ", " + Llvm.memory(part.type()) + " " + value + ", "
                    + part.path();
            if (i == parts.size() - 1) {
                return insert;
            }
            made = temporary.apply(insert);
        }
    }

    /**
     * Makes the words of a struct; padding is zero.
     *
     * @param struct with its type
     * @return the vector
     */
    String pack(String struct, UnaryOperator<String> temporary) {
        String[] words = new String[count];
        for (Part part : parts) {
            String value = temporary.apply("extractvalue " + struct + ", " + part.path());
            if (part.type().isFloat()) {
                value = temporary.apply("bitcast " + Llvm.memory(part.type()) + " " + value + " to " + bits(part));
            }
            if (part.type().bytes() < bytes) {
                value = temporary.apply("zext " + bits(part) + " " + value + " to " + word());
            }
            if (shift(part) > 0) {
                value = temporary.apply("shl " + word() + " " + value + ", " + shift(part));
            }
            int word = (int) (part.offset() / bytes);
            words[word] =
                    words[word] == null ? value : temporary.apply("or " + word() + " " + words[word] + ", " + value);
        }
        String vector = "undef";
        for (int i = 0; i < count; i++) {
            vector = temporary.apply("insertelement " + memory() + " " + vector + ", " + word() + " "
                    + (words[i] == null ? "0" : words[i]) + ", i32 " + i);
        }
        return vector;
    }
}
