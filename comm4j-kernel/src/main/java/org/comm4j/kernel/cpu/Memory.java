// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import java.lang.foreign.MemorySegment;

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

    /** Returns the bytes of an element of an array type. */
    static int elementBytes(Class<?> array) {
        Class<?> element = array.getComponentType();
        return element == double.class || element == long.class
                ? 8
                : element == float.class || element == int.class
                        ? 4
                        : element == short.class || element == char.class ? 2 : 1;
    }
}
