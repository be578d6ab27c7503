// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Arrays of any primitive type as memory. */
final class Memory {
    private Memory() {}

    static MemorySegment ofArray(Object array) {
        return switch (array) {
            case float[] a -> MemorySegment.ofArray(a);
            case double[] a -> MemorySegment.ofArray(a);
            case byte[] a -> MemorySegment.ofArray(a);
            case short[] a -> MemorySegment.ofArray(a);
            case int[] a -> MemorySegment.ofArray(a);
            case long[] a -> MemorySegment.ofArray(a);
            case char[] a -> MemorySegment.ofArray(a);
            default -> throw new IllegalArgumentException(array.getClass().getSimpleName());
        };
    }

    /** Returns the bytes of a value in memory; records are laid out as structs are in C. */
    static int bytes(Class<?> type) {
        if (type.isRecord()) {
            int end = 0;
            for (RecordComponent component : type.getRecordComponents()) {
                end = aligned(end, alignment(component.getType())) + bytes(component.getType());
            }
            return aligned(end, alignment(type));
        }
        return alignment(type);
    }

    private static int alignment(Class<?> type) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .mapToInt(component -> alignment(component.getType()))
                    .max()
                    .orElse(1);
        }
        if (type.isPrimitive()) {
            return type == double.class || type == long.class
                    ? 8
                    : type == float.class || type == int.class ? 4 : type == short.class || type == char.class ? 2 : 1;
        }
        return type.isEnum() ? 4 : 8;
    }

    private static int aligned(int offset, int alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }
}
