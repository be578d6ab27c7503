// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;

/** The names that nccl-tests gives to types and reductions, and ours where it has none. */
public final class Names {
    private Names() {}

    public static String of(DataType type) {
        return switch (type) {
            case FLOAT16 -> "half";
            case FLOAT32 -> "float";
            case FLOAT64 -> "double";
            case FLOAT8_E4M3 -> "f8e4m3";
            case FLOAT8_E5M2 -> "f8e5m2";
            default -> type.name().toLowerCase(Locale.ROOT);
        };
    }

    public static String of(ReduceOp op) {
        return op.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The types that {@code name} means: one, by either project's name, or all.
     *
     * @throws IllegalArgumentException if there is no such type
     */
    public static List<DataType> types(String name) {
        return find(name, DataType.values(), Names::of, "data type");
    }

    /**
     * The reductions that {@code name} means: one, or all.
     *
     * @throws IllegalArgumentException if there is no such reduction
     */
    public static List<ReduceOp> reductions(String name) {
        return find(name, ReduceOp.values(), Names::of, "reduction");
    }

    private static <T extends Enum<T>> List<T> find(String name, T[] values, Function<T, String> text, String what) {
        if (name.equalsIgnoreCase("all")) {
            return List.of(values);
        }
        List<String> known = new ArrayList<>();
        for (T value : values) {
            if (text.apply(value).equalsIgnoreCase(name) || value.name().equalsIgnoreCase(name)) {
                return List.of(value);
            }
            known.add(text.apply(value));
        }
        throw new IllegalArgumentException(
                "there is no " + what + " '" + name + "'; there are " + String.join(", ", known) + ", and all");
    }
}
